/** Counts what one link's messages still keep the coordinator at; while that is much, the stream is not read. */
import { MESSAGE_ENTRIES_MIN, UNDER_WAY_MAX } from "./limits.ts";

/** The stream that the messages come from. */
interface Source {
  pause(): unknown;
  resume(): unknown;
}

export class Intake {
  readonly #source: Source;
  #underWay = 0;

  constructor(source: Source) {
    this.#source = source;
  }

  /** A message of so many entries is under way until `work`, which never rejects, is done. */
  take(entries: number, work: Promise<unknown>): void {
    const weight = Math.max(entries, MESSAGE_ENTRIES_MIN);
    this.#underWay += weight;
    if (this.#underWay >= UNDER_WAY_MAX) this.#source.pause();
    void work.finally(() => {
      this.#underWay -= weight;
      if (this.#underWay < UNDER_WAY_MAX / 2) this.#source.resume();
    });
  }
}
