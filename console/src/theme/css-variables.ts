/** Where the library's own text colours have less contrast than 4.5 (WCAG 2.2, 1.4.3). */
import type { CSSVariablesResolver, MantineTheme } from "@mantine/core";

export const cssVariables: CSSVariablesResolver = (theme) => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": theme.colors.gray[7],
    "--mantine-color-error": theme.colors.red[9],
    ...textOnTint(theme, 9, "30%"),
  },
  dark: {
    "--mantine-color-dimmed": theme.colors.dark[0],
    "--mantine-color-error": theme.colors.red[4],
    ...textOnTint(theme, 2, "0%"),
  },
});

/** Of what is shown in a colour on a tint of that colour, such as badges and buttons of the variant `light`. */
function textOnTint({ colors }: MantineTheme, shade: number, black: string): Record<string, string> {
  const text = (name: string) => `color-mix(in srgb, var(--mantine-color-${name}-${shade}), black ${black})`;
  return Object.fromEntries(Object.keys(colors).map((name) => [`--mantine-color-${name}-light-color`, text(name)]));
}
