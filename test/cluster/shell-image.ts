/** An image for shells, made of this machine's own programs, since none can be pulled where there is no network. */
import { importImage, packageFiles } from "./package-image.ts";

/** What a login, a copy and a forwarded port need. */
const ROOTS = ["bash", "dash", "coreutils", "socat", "openssh-client", "openssh-sftp-server"];

/** Made when the machine was set up; the server of sftp looks up its user. */
const USERS = ["/etc/passwd", "/etc/group"];

/** Returns its reference in the engine. */
export async function importShellImage(engineSocket: string): Promise<string> {
  const image = () => ({ files: [...packageFiles(ROOTS), ...USERS], renames: [] });
  return await importImage(engineSocket, "elastic-shell", image);
}
