/** What a process holds in memory. */
import { readFileSync } from "node:fs";

export function residentBytes(pid: number | undefined): number {
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  if (kib === undefined) throw new Error(`process ${pid} has ended`);
  return Number(kib) * 1024;
}
