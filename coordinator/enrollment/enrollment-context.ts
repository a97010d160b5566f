/** What it takes to enroll machines. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Store } from "../store/store.ts";
import type { AuthoritySource } from "./authority.ts";

export interface EnrollmentContext {
  readonly store: Store;
  readonly authority: AuthoritySource;
  readonly certificateLifeMs: number;
  readonly clock: Clock;
}
