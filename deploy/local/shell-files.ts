/** What an image for shells is made of where none can be pulled: this machine's own programs. `env` is that of the tools that are started. */
import type { ImageFiles } from "./import-image.ts";
import { packageFiles } from "./package-files.ts";

/** What a login, a copy and a forwarded port need. */
const ROOTS = ["bash", "dash", "coreutils", "socat", "openssh-client", "openssh-sftp-server"];

/** Made when the machine was set up; the server of sftp looks its user up there. */
const USERS = ["/etc/passwd", "/etc/group"];

export function shellFiles(env: NodeJS.ProcessEnv): ImageFiles {
  return { files: [...packageFiles(ROOTS, env), ...USERS], renames: [] };
}
