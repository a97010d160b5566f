/**
 * When keys and sessions were used: noted in memory by each request, and written by a dedicated loop, each at most once a
 * minute. No request waits for it; a write that loses its race is left to the next use.
 */
import type { Instant } from "@elastic/std/clock.ts";
import type { Logger } from "@elastic/std/log.ts";
import type { Loop } from "@elastic/std/loop.ts";
import { used } from "../domain/access-key.ts";
import { sessionUsed } from "../domain/session.ts";
import { type LoopMetrics, startMeteredLoop } from "../metrics/loop-metrics.ts";
import { replace } from "../store/change.ts";
import type { Change, Store } from "../store/store.ts";

const WRITE_EVERY_MS = 2_000;
/** At a time; they share transactions. */
const WRITES_MAX = 40;

export class KeyUses {
  #noted = new Map<string, Instant>();

  /** Of a key or session that was found valid: there are no more than there are of both. */
  note(keyId: string, now: Instant): void {
    this.#noted.set(keyId, now);
  }

  /** What was noted since the last call. */
  take(): ReadonlyMap<string, Instant> {
    const noted = this.#noted;
    this.#noted = new Map();
    return noted;
  }
}

/** Writes what is worth writing of the uses noted. */
export async function writeKeyUses(store: Store, uses: KeyUses): Promise<void> {
  const due = [...uses.take()].flatMap(([id, usedAt]) => writeOf(store, id, usedAt) ?? []);
  for (let at = 0; at < due.length; at += WRITES_MAX) {
    await Promise.all(due.slice(at, at + WRITES_MAX).map((change) => store.commit([change])));
  }
}

function writeOf({ view }: Store, id: string, usedAt: Instant): Change | null {
  const session = view.sessions.get(id);
  if (session !== undefined) {
    const after = sessionUsed(session.value, usedAt);
    return after === null ? null : replace("sessions", session, after);
  }
  const key = view.accessKeys.get(id);
  const after = key === undefined ? null : used(key.value, usedAt);
  return key === undefined || after === null ? null : replace("access-keys", key, after);
}

export function startKeyUseLoop(options: {
  readonly store: Store;
  readonly uses: KeyUses;
  readonly loops: LoopMetrics;
  readonly log: Logger;
}): Loop {
  const { store, uses, loops, log } = options;
  return startMeteredLoop({
    name: "write_key_uses",
    everyMs: WRITE_EVERY_MS,
    turn: () => writeKeyUses(store, uses),
    loops,
    log,
    failure: "the last uses of keys could not be written",
    failureLevel: "debug",
  });
}
