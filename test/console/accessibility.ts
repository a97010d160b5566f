/** What axe-core finds wrong with a page, by the rules of WCAG 2.2 AA. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** One line a violation and element: the rule, and where. */
export async function violationsOf(page: Page): Promise<readonly string[]> {
  await animationsEnded(page);
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE);
  const options = JSON.stringify({ runOnly: RULES, resultTypes: ["violations"] });
  const { violations } = (await page.evaluate(`axe.run(document, ${options})`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(" ")}`));
}

/** The innermost elements that make the page wider than its window; none where it fits. */
export async function overflowOf(page: Page): Promise<readonly string[]> {
  await animationsEnded(page);
  return await page.evaluate(WIDE_ELEMENTS);
}

export async function animationsEnded(page: Page): Promise<void> {
  await page.evaluate("Promise.allSettled(document.getAnimations().map((one) => one.finished))");
}

/** Runs in the page, where there is a document. */
const WIDE_ELEMENTS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const wide = [...document.body.querySelectorAll("*")].filter((one) => one.getBoundingClientRect().right > clientWidth);
  const innermost = wide.filter((one) => !wide.some((other) => other !== one && one.contains(other)));
  return innermost.map(({ outerHTML }) => scrollWidth - clientWidth + " px: " + outerHTML.slice(0, 200));
})()`;
