/** A progress line for what takes long: one every two seconds, and none of what is over before. */
import type { Clock } from "@elastic/std/clock.ts";

const EVERY_MS = 2000;

export class LateLine {
  readonly #clock: Pick<Clock, "monotonicMs">;
  readonly #print: (line: string) => void;
  #lastMs: number;

  constructor(clock: Pick<Clock, "monotonicMs">, print: (line: string) => void) {
    this.#clock = clock;
    this.#print = print;
    this.#lastMs = clock.monotonicMs();
  }

  print(line: string): void {
    const now = this.#clock.monotonicMs();
    if (now - this.#lastMs < EVERY_MS) return;
    this.#lastMs = now;
    this.#print(line);
  }
}
