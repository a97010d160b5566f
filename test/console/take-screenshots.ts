/** `npm run screenshots`: every page of the console in both themes, on a desk and on a phone, into docs/console/. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { animationsEnded } from "./accessibility.ts";
import { DESK, openConsole, useTheme } from "./open-console.ts";
import { PAGES } from "./pages.ts";

const SIZES = [DESK, { width: 390, height: 844 }];
const FOLDER = inRepository("docs", "console");

rmSync(FOLDER, { recursive: true, force: true });
mkdirSync(FOLDER, { recursive: true });
await using console_ = await openConsole();
const { page } = console_;
for (const one of PAGES) {
  await console_.show(one);
  const name = one.path.replaceAll(/\$\w+/g, "one").replaceAll("/", "-").slice(1);
  for (const theme of ["light", "dark"] as const) {
    await useTheme(page, theme);
    for (const size of SIZES) {
      await page.setViewportSize(size);
      await animationsEnded(page);
      await page.screenshot({ path: join(FOLDER, `${name}-${theme}-${size.width}.png`) });
    }
  }
  console.log(`${one.path} (${PAGES.indexOf(one) + 1} of ${PAGES.length})`);
}
