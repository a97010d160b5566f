/** The hard limits of this machine, which no container may be given more than: the engine would refuse to start it. */
import { readFileSync } from "node:fs";

export interface HostLimits {
  readonly openFilesMax: number;
  readonly processesMax: number;
}

const PLENTY = 1024 * 1024;

export function readHostLimits(): HostLimits {
  return parseHostLimits(readFileSync("/proc/self/limits", "utf8"));
}

/** `text` is that of /proc/self/limits. */
export function parseHostLimits(text: string): HostLimits {
  return { openFilesMax: hardLimit(text, "Max open files"), processesMax: hardLimit(text, "Max processes") };
}

function hardLimit(text: string, name: string): number {
  const line = text.split("\n").find((each) => each.startsWith(name)) ?? "";
  const hard = line.slice(name.length).trim().split(/\s+/)[1];
  return hard === undefined || hard === "unlimited" ? PLENTY : Number(hard);
}
