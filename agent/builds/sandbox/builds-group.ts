/**
 * The control group of all sandboxes of a builder, on either version of control groups. Weighed together, builds take no
 * more from proofs however many run; and a group that is idle is interrupted at once by whatever else wants a processor,
 * where one of little weight would finish its slice of time first (cpu.idle, Linux 5.15).
 */
import { existsSync } from "node:fs";
import { mkdir, readdir, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { CPU_WEIGHT_MIN, type CpuWeight } from "../../domain/build-settings.ts";

const CGROUPS = "/sys/fs/cgroup";
const BUSY_MS = 50;
const BUSY_TRIES = 100;

/** `group` as runc names it: an absolute path in each hierarchy. Throws where the kernel refuses. */
export async function openBuildsGroup(group: string, weight: CpuWeight): Promise<void> {
  const version1 = join(CGROUPS, "cpu");
  if (existsSync(join(version1, "cpu.shares"))) {
    return await weigh(join(version1, group), weight, { file: "cpu.shares", of: (value) => (value * 1_024) / 100 });
  }
  // Its children have what this file says.
  await writeFile(join(CGROUPS, "cgroup.subtree_control"), "+cpu");
  await weigh(join(CGROUPS, group), weight, { file: "cpu.weight", of: (value) => value });
}

/** Once no sandbox is in it. Throws where a process of one has still not ended after a few seconds. */
export async function removeBuildsGroup(group: string): Promise<void> {
  const hierarchies = [CGROUPS, ...(await readdir(CGROUPS)).map((name) => join(CGROUPS, name))];
  for (const hierarchy of hierarchies) await removeGroup(join(hierarchy, group));
}

/** A process that was killed holds its group until the kernel is done with it, and so does the group of a sandbox. */
async function removeGroup(folder: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await rmdir(folder).catch(ignoreMissing);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY" || tries === BUSY_TRIES) throw error;
      await setTimeout(BUSY_MS);
    }
  }
}

interface Weights {
  readonly file: string;
  readonly of: (weight: number) => number;
}

async function weigh(folder: string, weight: CpuWeight, { file, of }: Weights): Promise<void> {
  await mkdir(folder, { recursive: true });
  const idle = join(folder, "cpu.idle");
  const hasIdle = existsSync(idle);
  if (hasIdle) await writeFile(idle, weight === "idle" ? "1" : "0");
  // One that is idle has no weight that could be set.
  if (weight === "idle" && hasIdle) return;
  await writeFile(join(folder, file), String(Math.round(of(weight === "idle" ? CPU_WEIGHT_MIN : weight))));
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT" && error.code !== "ENOTDIR") throw error;
}
