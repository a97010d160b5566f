/**
 * `Idempotency-Key`: the same key and the same request make one task, whatever response was lost. The key is written in
 * the task's own commit and compared there, so two coordinators that race make one task too.
 */
import { createHash, hash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { FastifyRequest } from "fastify";
import type { AccessKey } from "../../domain/access-key.ts";
import type { IdempotencyNote } from "../../domain/idempotency.ts";
import type { Task } from "../../domain/task.ts";
import type { Change } from "../../store/store.ts";
import { slices } from "../body/json-text.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { Problem } from "../problems/problem.ts";
import { findTask } from "./find-task.ts";

const IDEMPOTENCY_HEADER = "idempotency-key";

const KEY = /^[\x21-\x7e]{1,255}$/;
/** Hashed in a fraction of a millisecond; between slices other requests are served. */
const SLICE_BYTES = 256 * 1024;

/** Null where there is none. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const text = headers[IDEMPOTENCY_HEADER];
  if (text === undefined) return null;
  if (typeof text === "string" && KEY.test(text)) return text;
  throw new Problem("idempotency_key_invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}

export interface OneTimeRequest {
  /** Of the note: the team and the digest of the key, which may have any characters. */
  readonly id: string;
  readonly fingerprint: string;
}

export async function oneTimeRequest(
  key: string,
  to: { readonly teamId: string; readonly serviceId: string },
  body: Buffer,
): Promise<OneTimeRequest> {
  const digest = createHash("sha256").update(`${to.serviceId}\n`);
  for (const slice of slices(body, SLICE_BYTES)) {
    digest.update(slice);
    if (body.length > SLICE_BYTES) await setImmediate();
  }
  return { id: `${to.teamId}/${hash("sha256", key, "hex")}`, fingerprint: digest.digest("hex") };
}

/** What one request knows of its key. */
export class IdempotencyKey {
  readonly #deps: Pick<RecordDeps, "store">;
  readonly #caller: AccessKey;
  readonly #request: OneTimeRequest;

  constructor(deps: Pick<RecordDeps, "store">, caller: AccessKey, request: OneTimeRequest) {
    this.#deps = deps;
    this.#caller = caller;
    this.#request = request;
  }

  /**
   * The task that the key has made before. The note counts until it is forgotten, by the one loop that does: a
   * coordinator whose clock is ahead would take it for old, and make a second task.
   */
  async earlierTask(): Promise<Task | null> {
    const note = await this.#deps.store.get("idempotency-keys", this.#request.id);
    if (note === null) return null;
    if (note.value.fingerprint !== this.#request.fingerprint) {
      const detail = "The Idempotency-Key was used for another request; use a new one for a new task.";
      throw new Problem("idempotency_key_reused", detail);
    }
    return (await findTask(this.#deps.store, this.#caller, note.value.taskId)).value;
  }

  /** Goes into the commit of the task: of those that race, one holds. */
  remember({ id: taskId, createdAt }: Task): Change {
    const { id, fingerprint } = this.#request;
    const value: IdempotencyNote = { id, taskId, fingerprint, createdAt };
    return { kind: "write", record: "idempotency-keys", id, from: 0, value };
  }
}

/** Keys whose requests are being worked on here. */
export class KeysInFlight {
  readonly #ids = new Set<string>();

  async run<T>({ id }: OneTimeRequest, work: () => Promise<T>): Promise<T> {
    if (this.#ids.has(id)) {
      const detail = "A request with this Idempotency-Key is being worked on; send it again in a moment.";
      throw new Problem("idempotency_key_in_flight", detail, { headers: { "retry-after": "1" } });
    }
    this.#ids.add(id);
    try {
      return await work();
    } finally {
      this.#ids.delete(id);
    }
  }
}
