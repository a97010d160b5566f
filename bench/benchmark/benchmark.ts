/** What `npm run bench` can run. */
import type { Machine } from "./machine.ts";
import type { Row } from "./row.ts";

export interface Effort {
  /** Times that each contender is measured; figures are medians over them. */
  readonly rounds: number;
  /** How long each measurement lasts. */
  readonly seconds: number;
}

/** Whether less is measured than published figures need. */
export function isTrial(effort: Effort, full: Effort): boolean {
  return effort.rounds < full.rounds || effort.seconds < full.seconds;
}

export interface Outcome {
  readonly versions: Readonly<Record<string, string>>;
  /** How the figures came about, and what they do not show. */
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
  /** Where it was measured, if not here. */
  readonly machine?: Machine;
}

export interface Benchmark {
  readonly name: string;
  readonly describes: string;
  /** Parts of deploy/setup.sh that it needs. */
  readonly needs: readonly string[];
  readonly effort: Effort;
  /** What this machine lacks, in words; undefined where it can run. */
  missing?(): string | undefined;
  /** Builds what `run` will need, and would itself build. */
  prepare?(log: (text: string) => void): Promise<void>;
  /** Of what another machine left after it had measured. */
  measuredElsewhere?(): Outcome;
  /** Where the time goes, as text. */
  profile?(effort: Effort, log: (text: string) => void): Promise<string>;
  run(effort: Effort, log: (text: string) => void): Promise<Outcome>;
  /** Compares the working tree with another commit. */
  readonly baseline?: {
    /** Parts of deploy/setup.sh that it needs. */
    readonly needs: readonly string[];
    /** `commit` is a complete id. */
    run(commit: string, effort: Effort, log: (text: string) => void): Promise<Outcome>;
  };
}
