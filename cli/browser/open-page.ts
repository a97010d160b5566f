/** Shows a page in the user's browser, with the program that the system has for it. */
import { spawn } from "node:child_process";

const OPENERS: Readonly<Partial<Record<NodeJS.Platform, string>>> = { darwin: "open", win32: "explorer.exe" };
const OPENER = "xdg-open";

/** Resolves once the browser was asked: whether there was a program that could. It outlives this one. */
export function openPage(url: string, browser: string | undefined): Promise<boolean> {
  const program = browser ?? OPENERS[process.platform] ?? OPENER;
  const child = spawn(program, [url], { stdio: "ignore", detached: true });
  child.unref();
  return new Promise((resolve) => {
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
  });
}
