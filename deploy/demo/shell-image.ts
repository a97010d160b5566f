/** `--shells`: an image for shells of this machine's own programs, and the settings with which coordinators offer it. */
import { importImage } from "../local/import-image.ts";
import { findProgram } from "../local/search-path.ts";
import { shellFiles } from "../local/shell-files.ts";
import { DemoError } from "./demo-error.ts";
import { hasImage } from "./has-image.ts";

const IMAGE = "elastic-shell:demo";

/** An image that is there already stays as it is. `env` is that of the tools that are started. */
export async function loadShellImage(engineSocket: string, env: NodeJS.ProcessEnv): Promise<void> {
  if (process.getuid?.() !== 0) throw new DemoError("--shells takes root: homes are disks that the agent makes.");
  if (findProgram("dpkg", env.PATH ?? "") === null) {
    throw new DemoError("--shells makes an image of Debian's packages, and this machine has no dpkg.");
  }
  if (!(await hasImage(engineSocket, IMAGE))) await importImage(engineSocket, IMAGE, shellFiles(env), env);
}

/** `sshPort` of the loopback address is where users log in. */
export function shellSettings(sshPort: number): Readonly<Record<string, string>> {
  return { ELASTIC_SHELL_IMAGES: `base=${IMAGE}`, ELASTIC_SSH_LISTEN: `127.0.0.1:${sshPort}` };
}
