/** What runs a program as a service of its machine, and what watches it: its unit, its user, and files for Prometheus. */
import { existsSync } from "node:fs";
import { cp, mkdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { inRepository } from "../local/repository.ts";
import type { PackagedProgram } from "./programs.ts";

/** Below `folder`, at the places that they have below /usr. The unit starts the program in /usr/local/bin. */
export async function stageServiceFiles({ name, shared }: PackagedProgram, folder: string): Promise<void> {
  const unit = `${name}.service`;
  await copyFile(inRepository("deploy", "systemd", unit), join(folder, "lib", "systemd", "system", unit));
  const user = inRepository("deploy", "package", "debian", name, "sysusers.conf");
  if (existsSync(user)) await copyFile(user, join(folder, "lib", "sysusers.d", `${name}.conf`));
  for (const path of shared) {
    const inFolder = join(basename(dirname(path)), basename(path));
    await copyFile(inRepository(path), join(folder, "share", name, inFolder));
  }
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to);
}
