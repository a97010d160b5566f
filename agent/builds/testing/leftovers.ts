/** What builds left on this machine outside of the teams' disks, and what is on those. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { groupOf, runFolderOf } from "../open-builder.ts";
import { PROGRAM_ENV } from "../sandbox/run-program.ts";
import type { BuilderPlace } from "./test-builder.ts";

const CGROUPS = "/sys/fs/cgroup";

/** Empty once nothing is left of the builds that were assigned so. */
export function leftoversOf({ folder, socketDir }: BuilderPlace, assignmentIds: readonly string[]): readonly string[] {
  const runFolder = runFolderOf(folder);
  const named = (text: string) => [folder, runFolder, socketDir, ...assignmentIds].some((name) => text.includes(name));
  // One that clears itself goes with its last user: a mount namespace that somebody else made meanwhile holds it longer.
  const loops = run("losetup", "--noheadings", "--output", "NAME,AUTOCLEAR,BACK-FILE").split("\n");
  const groups = [CGROUPS, ...namesIn(CGROUPS).map((name) => join(CGROUPS, name))]
    .map((hierarchy) => join(hierarchy, groupOf(folder)))
    .flatMap((group) => namesIn(group).map((name) => join(group, name)))
    .filter(named);
  return [
    ...lines("/proc/self/mounts")
      .filter(named)
      .map((line) => `mount ${line}`),
    ...loops.filter((line) => / 0 /.test(line) && named(line)).map((line) => `loop device ${line}`),
    ...namesIn(join(runFolder, "runc")).map((name) => `container ${name}`),
    ...namesIn(join(runFolder, "bundles")).map((name) => `bundle ${name}`),
    ...namesIn(socketDir).map((name) => `socket ${name}`),
    ...groups.map((group) => `control group ${group}`),
    ...groups
      .flatMap((group) => lines(join(group, "cgroup.procs")))
      .filter((pid) => pid !== "")
      .map((pid) => `process ${pid} of the sandbox`),
    ...processes()
      .filter(named)
      .map((line) => `process ${line}`),
  ];
}

/** What the top of a team's disk has. Throws while it is mounted, also by a namespace that is about to end. */
export function namesOnDisk({ folder }: BuilderPlace, teamId: string): readonly string[] {
  const at = join(folder, "looked-at");
  mkdirSync(at);
  try {
    run("mount", "-o", "loop,ro", join(folder, "disks", `${teamId}.ext4`), at);
    try {
      return readdirSync(at).sort();
    } finally {
      run("umount", at);
    }
  } finally {
    rmdirSync(at);
  }
}

export function hasDisk({ folder }: BuilderPlace, teamId: string): boolean {
  return existsSync(join(folder, "disks", `${teamId}.ext4`));
}

function processes(): readonly string[] {
  return namesIn("/proc")
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .flatMap((pid) => lines(join("/proc", pid, "cmdline")))
    .map((line) => line.replaceAll("\0", " "));
}

/** None where it is gone by now. */
function lines(path: string): readonly string[] {
  try {
    return readFileSync(path, "utf8").split("\n");
  } catch {
    return [];
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function run(program: string, ...args: readonly string[]): string {
  return execFileSync(program, args, { encoding: "utf8", env: PROGRAM_ENV });
}
