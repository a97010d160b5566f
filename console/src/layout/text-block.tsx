/** Text that others wrote: shown as it is, bounded, and never as markup. */
import { Code, ScrollArea, Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { shortened } from "../text/shortened.ts";
import { visibleText } from "../text/visible-text.ts";

/** What a browser lays out at once, also on one line. */
export const TEXT_CHARS_MAX = 64 * 1024;

interface TextBlockProps {
  readonly text: string;
  /** Accessible name. */
  readonly label: string;
  /** What leads to the rest of a text that is too long to show. */
  readonly children?: ReactNode;
}

export function TextBlock({ text, label, children }: TextBlockProps) {
  const { shown, isCut } = shortened(text, TEXT_CHARS_MAX);
  return (
    <Stack gap={4}>
      <ScrollArea.Autosize mah={320} type="auto" viewportProps={{ tabIndex: 0, role: "group", "aria-label": label }}>
        <Code block dir="ltr" style={{ overflowWrap: "anywhere", whiteSpace: "pre-wrap", unicodeBidi: "isolate" }}>
          {visibleText(shown)}
        </Code>
      </ScrollArea.Autosize>
      {isCut && (
        <Text size="sm" c="dimmed">
          The first {shown.length.toLocaleString()} of {text.length.toLocaleString()} characters. {children}
        </Text>
      )}
    </Stack>
  );
}
