/**
 * `Idempotency-Key`: the same key and the same request make one task, whatever response was lost. The key is written in
 * the task's own commit and compared there, so two coordinators that race make one task too.
 */
import { createHash, hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { IdempotencyNote } from "../../domain/idempotency.ts";
import type { Change, Store } from "../../store/store.ts";
import { slices } from "../body/json-text.ts";
import { Problem } from "../problems/problem.ts";

/** Hashed in a fraction of a millisecond; between slices other requests are served. */
const SLICE_BYTES = 256 * 1024;

export interface OneTimeRequest {
  /** Of the note: the team and the digest of the key, which may have any characters. */
  readonly id: string;
  readonly fingerprint: string;
}

/** `to` is what the request is sent to: the same body sent elsewhere is another request. */
export async function oneTimeRequest(
  key: string,
  { teamId, to }: { readonly teamId: string; readonly to: string },
  body: Buffer,
): Promise<OneTimeRequest> {
  const digest = createHash("sha256").update(`${to}\n`);
  for (const slice of slices(body, SLICE_BYTES)) {
    digest.update(slice);
    if (body.length > SLICE_BYTES) await setImmediate();
  }
  return { id: `${teamId}/${hash("sha256", key, "hex")}`, fingerprint: digest.digest("hex") };
}

/** What one request knows of its key. */
export class IdempotencyKey {
  readonly #store: Pick<Store, "get">;
  readonly #request: OneTimeRequest;

  constructor(store: Pick<Store, "get">, request: OneTimeRequest) {
    this.#store = store;
    this.#request = request;
  }

  /**
   * What the key has made before. The note counts until it is forgotten, by the one loop that does: a coordinator whose clock
   * is ahead would take it for old, and make a second task.
   */
  async earlier(): Promise<IdempotencyNote | null> {
    const note = await this.#store.get("idempotency-keys", this.#request.id);
    if (note === null) return null;
    if (note.value.fingerprint !== this.#request.fingerprint) {
      const detail = "The Idempotency-Key was used for another request; use a new one for a new task.";
      throw new Problem("idempotency_key_reused", detail);
    }
    return note.value;
  }

  /** Goes into the commit of what is made: of those that race, one holds. */
  remember(made: Pick<IdempotencyNote, "taskId" | "batchId" | "createdAt">): Change {
    const { id, fingerprint } = this.#request;
    const value: IdempotencyNote = { id, fingerprint, ...made };
    return { kind: "write", record: "idempotency-keys", id, from: 0, value };
  }
}
