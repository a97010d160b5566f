/** Shows a page in the user's browser, where there seems to be one. */
import { spawn } from "node:child_process";
import type { Settings } from "../context/config.ts";

type BrowserSettings = Pick<Settings, "browser" | "hasDesktop">;
type Program = readonly [command: string, ...args: readonly string[]];

/** Resolves once the browser was started, which outlives this program: whether there was one that could be. */
export async function openPage(address: string, settings: BrowserSettings): Promise<boolean> {
  const program = browserProgram(address, settings, process.platform);
  if (program === null) return false;
  const [command, ...args] = program;
  const child = spawn(command, args, { stdio: "ignore", detached: true });
  child.unref();
  return await new Promise((resolve) => {
    child.once("spawn", () => resolve(true));
    child.once("error", () => resolve(false));
  });
}

/** Null where there is no desktop, and where the address is no page. */
export function browserProgram(
  address: string,
  { browser, hasDesktop }: BrowserSettings,
  platform: NodeJS.Platform,
): Program | null {
  const url = URL.parse(address);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  if (browser !== undefined) return [browser, url.href];
  if (platform === "darwin") return ["open", url.href];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url.href];
  // Without a desktop it would start a browser in this terminal.
  return hasDesktop ? ["xdg-open", url.href] : null;
}
