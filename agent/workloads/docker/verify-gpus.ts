/**
 * Looks from the host whether a container really has its GPUs, and no other: engines may take the wish for one and drop
 * it without a word, and a program that finds no GPU may well run on the processor instead, for hours.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, type Stats, statSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type DeviceNode, GPU_NODE } from "../../gpus/device-nodes.ts";

const CGROUPS = "/sys/fs/cgroup";
const OPEN_TIMEOUT_MS = 10_000;
/** As `sh -c`: steps into the control group, whose rules then hold for it, and opens the device. */
const OPEN_WITHIN = 'echo $$ > "$1/cgroup.procs" || exit 3; exec 3< "$2"';

/** Null when the container of this process has just these; else a sentence. */
export async function whyGpusMissing(pid: number, nodes: readonly DeviceNode[]): Promise<string | null> {
  const root = `/proc/${pid}/root`;
  for (const node of nodes) {
    const wrong = whyWrong(join(root, node.path), node);
    if (wrong !== null) return wrong;
  }
  const own = new Set(nodes.map(({ path }) => basename(path)));
  const foreign = namesIn(join(root, "dev")).filter((name) => GPU_NODE.test(name) && !own.has(name));
  if (foreign.length > 0) return `it has GPUs of others: ${foreign.join(", ")}`;
  const group = deviceGroup(readFileSync(`/proc/${pid}/cgroup`, "utf8"));
  for (const { path } of nodes) {
    const refusal = await whyNotOpened(group, join(root, path));
    if (refusal !== null) return `${path} is there and cannot be opened: ${refusal}`;
  }
  return null;
}

function whyWrong(path: string, { path: inside, number }: DeviceNode): string | null {
  const found = statOrNull(path);
  if (found === null) return `${inside} is not there`;
  if (!found.isCharacterDevice()) return `${inside} is no device`;
  const wanted = number === null ? (statOrNull(inside)?.rdev ?? null) : deviceOf(number);
  return wanted === null || found.rdev === wanted ? null : `${inside} is another device`;
}

/** As the kernel packs the two numbers. */
function deviceOf({ major, minor }: { readonly major: number; readonly minor: number }): number {
  return (minor & 0xff) | ((major & 0xfff) << 8) | ((minor & ~0xff) << 12);
}

/** Where the rules on devices are, of either version of control groups. */
export function deviceGroup(groups: string): string {
  const first = /^\d+:(?:[^:]*,)?devices(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1];
  if (first !== undefined) return `${CGROUPS}/devices${first}`;
  return `${CGROUPS}${/^0::(\/.*)$/m.exec(groups)?.[1] ?? "/"}`;
}

async function whyNotOpened(group: string, path: string): Promise<string | null> {
  const limits = {
    timeout: OPEN_TIMEOUT_MS,
    killSignal: "SIGKILL",
    env: { PATH: "/usr/bin:/bin", LC_ALL: "C" },
  } as const;
  try {
    await promisify(execFile)("sh", ["-c", OPEN_WITHIN, "sh", group, path], limits);
    return null;
  } catch (error) {
    const { killed, stderr } = error as { readonly killed?: boolean; readonly stderr?: string };
    if (killed) return `it did not open within ${OPEN_TIMEOUT_MS / 1000} s`;
    return stderr?.trim().split(": ").pop() || "it could not be tried";
  }
}

function statOrNull(path: string): Stats | null {
  return statSync(path, { throwIfNoEntry: false }) ?? null;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
