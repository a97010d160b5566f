/** What `npm run bench` can run. */
import type { Row } from "./report/row.ts";

export interface Effort {
  /** Times that each contender is measured; figures are medians over them. */
  readonly rounds: number;
  /** How long each measurement lasts. */
  readonly seconds: number;
}

export interface Outcome {
  readonly versions: Readonly<Record<string, string>>;
  /** How the figures came about, and what they do not say. */
  readonly notes: readonly string[];
  readonly rows: readonly Row[];
}

export interface Benchmark {
  readonly name: string;
  readonly describes: string;
  readonly effort: Effort;
  run(effort: Effort, tell: (text: string) => void): Promise<Outcome>;
}
