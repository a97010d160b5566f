/** An image for shells in a test's engine. */
import { shellFiles } from "@elastic/deploy/local/shell-files.ts";
import { toolEnvironment } from "./machine.ts";
import { importImage } from "./package-image.ts";

/** Returns its reference. */
export async function importShellImage(engineSocket: string): Promise<string> {
  return await importImage(engineSocket, "elastic-shell", () => shellFiles(toolEnvironment()));
}

/** The same without an sshd, whether or not this machine has one. */
export async function importImageWithoutSshd(engineSocket: string): Promise<string> {
  return await importImage(engineSocket, "elastic-shell-without-sshd", () => ({
    ...shellFiles(toolEnvironment()),
    exclude: ["*/sshd"],
  }));
}
