/** An image for shells, made of this machine's own programs, since none can be pulled where there is no network. */
import { packageFiles } from "@elastic/deploy/local/package-files.ts";
import { toolEnvironment } from "./machine.ts";
import { importImage } from "./package-image.ts";

/** What a login, a copy and a forwarded port need. */
const ROOTS = ["bash", "dash", "coreutils", "socat", "openssh-client", "openssh-sftp-server"];

/** Made when the machine was set up; the server of sftp asks who it is. */
const USERS = ["/etc/passwd", "/etc/group"];

/** Answers its reference in the engine. */
export async function importShellImage(engineSocket: string): Promise<string> {
  const image = () => ({ files: [...packageFiles(ROOTS, toolEnvironment()), ...USERS], renames: [] });
  return await importImage(engineSocket, "elastic-shell", image);
}
