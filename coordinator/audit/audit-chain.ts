/**
 * Which entries the next one of this process names, so that one that is removed later is noticed: those that it has seen in the
 * store, whoever made them. So none is missed which never was, and commits need not wait for each other.
 */

/** Of one entry, whose size is bounded; the others are for the next. */
const NAMED_MAX = 10;
/** A process that makes no entries names none: others do. */
const REMEMBERED_MAX = 1_000;

export class AuditChain {
  #notNamed: string[] = [];

  take(): readonly string[] {
    return this.#notNamed.splice(0, NAMED_MAX);
  }

  /** The entry that was to name these was not committed, or that is not known: they may be named twice. */
  putBack(taken: readonly string[]): void {
    this.#notNamed.unshift(...taken);
  }

  seen(entryId: string): void {
    this.#notNamed.push(entryId);
    if (this.#notNamed.length > REMEMBERED_MAX) this.#notNamed.shift();
  }
}
