import type { Clock } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Store } from "../../store/store.ts";

/** What it takes to read records, to change them, and to log what was changed. */
export interface RecordDeps {
  /** Finds archived tasks too; its view has those that are live. What requests commit is in the audit log. */
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
}
