/** Opens a page in the user's browser, where there seems to be one. Whether it worked nobody says. */
import { spawn } from "node:child_process";

type Program = readonly [command: string, ...args: readonly string[]];

export function openBrowser(address: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): void {
  const program = browserProgram(address, env, platform);
  if (program === null) return;
  const [command, ...args] = program;
  const child = spawn(command, args, { detached: true, stdio: "ignore" });
  child.on("error", () => undefined);
  child.unref();
}

/** Null where there is no desktop, and where the address is no page. */
export function browserProgram(address: string, env: NodeJS.ProcessEnv, platform: NodeJS.Platform): Program | null {
  const url = URL.parse(address);
  if (url === null || !["http:", "https:"].includes(url.protocol)) return null;
  if (platform === "darwin") return ["open", url.href];
  if (platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler", url.href];
  const hasDesktop = [env.DISPLAY, env.WAYLAND_DISPLAY].some((display) => display !== undefined && display !== "");
  // Without a desktop it would start a browser in this terminal.
  return hasDesktop ? ["xdg-open", url.href] : null;
}
