/**
 * How many processes the kernel has killed for memory. The engine reports that of a container's first process only:
 * where a prover works in children, their end is seen here and nowhere else. Of the first process a busy engine learns
 * late or never, as the control group whose counter it reads goes with it: the counter of the whole machine stays.
 */
import { readFileSync } from "node:fs";

/** Where the kernel's control groups are, and what it knows of processes. */
export interface KernelFiles {
  readonly cgroups: string;
  readonly processes: string;
}

const KERNEL: KernelFiles = { cgroups: "/sys/fs/cgroup", processes: "/proc" };

/** Counts for the process's control group; 0 for ever where the kernel cannot be queried. */
export function memoryKillsOf(pid: number, kernel: KernelFiles = KERNEL): () => number {
  const file = counterFile(pid, kernel);
  return () => (file === null ? 0 : countIn(file));
}

/** Of either version of control groups; null where neither is to be found. */
function counterFile(pid: number, { cgroups, processes }: KernelFiles): string | null {
  const groups = read(`${processes}/${pid}/cgroup`);
  const first = /^\d+:(?:[^:]*,)?memory(?:,[^:]*)?:(\/.*)$/m.exec(groups)?.[1];
  const second = /^0::(\/.*)$/m.exec(groups)?.[1];
  const candidates = [
    ...(first === undefined ? [] : [`${cgroups}/memory${first}/memory.oom_control`]),
    ...(second === undefined ? [] : [`${cgroups}${second}/memory.events`]),
  ];
  return candidates.find((file) => COUNT.test(read(file))) ?? null;
}

/** Of all processes of the machine (Linux 4.13 and later); 0 where the kernel does not count them. */
export function memoryKillsOfMachine(kernel: KernelFiles = KERNEL): number {
  return countIn(`${kernel.processes}/vmstat`);
}

const COUNT = /^oom_kill (\d+)$/m;

function countIn(file: string): number {
  return Number(COUNT.exec(read(file))?.[1] ?? 0);
}

/** Empty where it cannot be read: the container is gone, or this machine keeps it elsewhere. */
function read(file: string): string {
  try {
    return readFileSync(file, "latin1");
  } catch {
    return "";
  }
}
