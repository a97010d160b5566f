/** Runs the demo as `npm run demo` does after its set-up, with a separate folder. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { DemoState } from "@elastic/deploy/demo/state-file.ts";
import { type Child, startChild } from "@elastic/deploy/local/child.ts";
import { COMPILE_CACHE } from "@elastic/deploy/local/compile-cache.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { programPath } from "../cluster/machine.ts";

export interface Demo {
  readonly child: Child;
  /** The demo's folder; it is there while the demo runs. */
  readonly folder: string;
}

export function startDemo(workFolder: string, ...options: readonly string[]): Promise<Demo> {
  return startDemoWith({ ELASTIC_ACCEL_LIBRARY: "none" }, workFolder, ...options);
}

/** A demo whose folder outlives it. */
export function startLastingDemo(workFolder: string, ...options: readonly string[]): Promise<Demo> {
  return start("--state", { ELASTIC_ACCEL_LIBRARY: "none" }, workFolder, options);
}

/** `settings` are what a user has set for it. */
export function startDemoWith(
  settings: Readonly<Record<string, string>>,
  workFolder: string,
  ...options: readonly string[]
): Promise<Demo> {
  return start("--folder", settings, workFolder, options);
}

async function start(
  kind: "--folder" | "--state",
  settings: Readonly<Record<string, string>>,
  workFolder: string,
  options: readonly string[],
): Promise<Demo> {
  const folder = join(workFolder, "demo");
  const child = await startChild({
    name: "demo",
    command: process.execPath,
    args: [inRepository("deploy", "demo", "main.ts"), kind, folder, ...options],
    env: { ...COMPILE_CACHE, PATH: programPath(), ...settings },
    logFile: join(workFolder, "demo.log"),
  });
  return { child, folder };
}

/** The state that a running demo keeps current. Throws while there is none. */
export function demoState({ folder }: Demo): DemoState {
  return JSON.parse(readFileSync(join(folder, "state.json"), "utf8")) as DemoState;
}

export function isAlive(pid: number | null | undefined): boolean {
  return pid !== null && pid !== undefined && existsSync(`/proc/${pid}`);
}
