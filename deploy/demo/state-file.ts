/** `.demo/state.json`: what a demo that was left running is, for whoever wants to use it and for `--stop`. */
import { readFileSync } from "node:fs";
import { writePrivately } from "./private-file.ts";

export interface DemoState {
  readonly url: string | null;
  readonly key: string | null;
  /** Logs a browser in to the console, once, within ten minutes of the start. Null for a demo that is not left running. */
  readonly console_login_url: string | null;
  readonly team: string | null;
  readonly service_id: string | null;
  readonly metrics: { readonly coordinator: string | null; readonly agent: string | null };
  /** Address of etcd's client port. */
  readonly etcd: string | null;
  /** `host:port` of the registry, where there is one. */
  readonly registry: string | null;
  /** Socket of the container engine in use, where there is one. */
  readonly engine: string | null;
  /** Of the running parts; `supervisor` watches over the others. */
  readonly pids: Readonly<Record<string, number | null>>;
}

/** It holds the key. */
export function writeState(file: string, state: DemoState): void {
  writePrivately(file, state);
}

/** Null when there is none. */
function readState(file: string): DemoState | null {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as DemoState;
  } catch {
    return null;
  }
}

/** The process that watches over a demo, if it lives. */
export function livingSupervisor(file: string): number | null {
  const pid = readState(file)?.pids.supervisor;
  return pid !== undefined && pid !== null && pid !== process.pid && isDemo(pid) ? pid : null;
}

/** Whether the process lives and is a demo: its number may have gone to another one. */
export function isDemo(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("demo/main.ts");
  } catch {
    return false;
  }
}
