/** How long the steps of set-up took that this run began with: deploy/setup/report.sh writes them. */
import { readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import type { Timing } from "../runners/runner.ts";

const FILE = inRepository(".cache", "setup", "times.tsv");

/** Empty where nothing was missing. */
export function setUpTimings(): readonly Timing[] {
  try {
    return timingsIn(readFileSync(FILE, "utf8"));
  } catch {
    return [];
  }
}

/** Lines of a step's name and its seconds. */
export function timingsIn(text: string): readonly Timing[] {
  return text
    .split("\n")
    .map((line) => line.split("\t"))
    .filter((fields) => fields.length === 2)
    .map(([name, seconds]) => ({ name: `set-up: ${name}`, kind: "phase", seconds: Number(seconds) }));
}
