/**
 * A real browser in which tests open the console. Each page has a separate profile, as in a private window:
 *
 *   await using browser = await startBrowser();
 *   const page = await browser.open(url);
 */
import { findProgram } from "@elastic/deploy/local/search-path.ts";
import { type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { programPath } from "./machine.ts";

const PROGRAMS = ["chromium", "chromium-browser", "google-chrome"];
const ACTION_TIMEOUT_MS = 20_000;

export interface Browser extends AsyncDisposable {
  /** Fails the test, when the browser is ended, if a page broke its own policy or threw. */
  open(url: string, options?: BrowserContextOptions): Promise<Page>;
}

/** `leadsTo` are origins that pages may lead to. */
export async function startBrowser({ leadsTo = [] }: { readonly leadsTo?: readonly string[] } = {}): Promise<Browser> {
  const executablePath = PROGRAMS.map((name) => findProgram(name, programPath())).find((path) => path !== null);
  if (executablePath === undefined || executablePath === null) {
    throw new Error("there is no Chromium on this machine: run deploy/setup.sh browser");
  }
  // Its own sandbox needs a user that is not root; the pages are those of this repository.
  const running = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  const faults: string[] = [];
  return {
    async open(url, options) {
      const context = await running.newContext(options);
      context.setDefaultTimeout(ACTION_TIMEOUT_MS);
      const page = await context.newPage();
      page.on("pageerror", (error) => faults.push(String(error)));
      page.on("console", (message) => {
        if (/Content Security Policy/.test(message.text())) faults.push(message.text());
      });
      page.on("request", (request) => {
        const { origin, protocol } = new URL(request.url());
        const isLed = request.isNavigationRequest() && leadsTo.includes(origin);
        if (origin !== new URL(url).origin && protocol !== "data:" && !isLed)
          faults.push(`a request to ${request.url()}`);
      });
      await page.goto(url);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await running.close();
      if (faults.length > 0) throw new Error(`the pages had faults:\n${faults.join("\n")}`);
    },
  };
}
