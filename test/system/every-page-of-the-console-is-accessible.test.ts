/** Every page, in both themes and on a phone: no violation that axe finds, and nothing wider than the window. */
import { expect, test } from "vitest";
import { overflowOf, violationsOf } from "../console/accessibility.ts";
import { DESK, openConsole, useTheme } from "../console/open-console.ts";
import { PAGES, STATES, undeclaredPaths } from "../console/pages.ts";

const PHONE = { width: 360, height: 740 };

test("visits every page that the console has", () => {
  expect(undeclaredPaths()).toEqual([]);
});

test("finds no violation on any page, and none wider than a phone", async () => {
  await using opened = await openConsole();
  const { page } = opened;
  const faults: string[] = [];
  let themes: readonly ("light" | "dark")[] = ["light", "dark"];
  for (const one of [...PAGES, ...STATES]) {
    await opened.show(one);
    for (const theme of themes) {
      await useTheme(page, theme);
      faults.push(...(await violationsOf(page)).map((fault) => `${one.path} (${theme}): ${fault}`));
    }
    await page.setViewportSize(PHONE);
    faults.push(...(await overflowOf(page)).map((fault) => `${one.path} is wider than a phone by ${fault}`));
    await page.setViewportSize(DESK);
    // The next page is shown in the theme that this one ended with.
    themes = themes.toReversed();
  }
  expect(faults).toEqual([]);
});
