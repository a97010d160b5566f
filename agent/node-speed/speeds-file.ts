/** What devices were measured at, stored in the agent's state folder, and so over its restarts. */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Speed } from "../kernels/zkaccel/benchmark.ts";

/** By device: a GPU's UUID, or words for the CPU. */
export type Speeds = ReadonlyMap<string, Speed>;

/** What there is of that version of the library; nothing of any other, and nothing where the file cannot be read. */
export function readSpeeds(file: string, version: string): Speeds {
  try {
    const stored = JSON.parse(readFileSync(file, "utf8")) as {
      readonly version: string;
      readonly speeds: [string, Speed][];
    };
    return stored.version === version ? new Map(stored.speeds) : new Map();
  } catch {
    return new Map();
  }
}

export function writeSpeeds(file: string, version: string, speeds: Speeds): void {
  writeFileSync(`${file}.new`, `${JSON.stringify({ version, speeds: [...speeds] })}\n`);
  renameSync(`${file}.new`, file);
}
