/**
 * `Idempotency-Key` of creations other than tasks: the same key and request make one record, whatever response was lost, of etcd or of
 * this service. The key is written in the record's own commit, so there is one if and only if there is the other.
 */
import { hash } from "node:crypto";
import type { Instant } from "@elastic/std/clock.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import type { IdempotencyNote } from "../../domain/idempotency.ts";
import { create } from "../../store/change.ts";
import type { Change } from "../../store/store.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { Problem } from "../problems/problem.ts";
import { idempotencyKeyOf, KeysInFlight } from "./idempotency-key.ts";

const SAME_RECORD =
  "1 to 255 visible ASCII characters. For at least 24 hours the same request with the same key returns the same " +
  "record, as it is by then, and the header `Idempotent-Replayed: true`";

export const idempotencyHeaders = headersOf(`${SAME_RECORD}.`);
/** Of what has a secret that is shown when it is made, and never again. */
export const secretOnceHeaders = headersOf(
  `${SAME_RECORD}: with status 200, and without the secret, which only the first response has.`,
);

function headersOf(description: string) {
  return z.object({ "idempotency-key": z.string().optional().describe(description) });
}

/** Goes into the commit that creates the record: nothing where the request has no key. */
export type Remember = (record: { readonly id: string; readonly createdAt: Instant }) => readonly Change[];

interface Creation<T> {
  readonly request: FastifyRequest;
  readonly teamId: string;
  /** Whose keys are apart from those of the team's other users: of a record that is the user's alone. */
  readonly userId?: string;
  /** What an earlier request has made. */
  readonly find: (id: string) => Promise<T>;
  readonly make: (remember: Remember) => Promise<T>;
}

export interface Created<T> {
  readonly made: T;
  /** It was there already. */
  readonly isReplay: boolean;
}

/** Of one operation. */
export class OneTimeCreations {
  readonly #store: RecordDeps["store"];
  readonly #operationId: string;
  readonly #inFlight = new KeysInFlight();

  constructor({ store }: Pick<RecordDeps, "store">, operationId: string) {
    this.#store = store;
    this.#operationId = operationId;
  }

  async run<T>({ request, teamId, userId, find, make }: Creation<T>): Promise<Created<T>> {
    const key = idempotencyKeyOf(request);
    if (key === null) return { made: await make(() => []), isReplay: false };
    // Apart from the keys of tasks, which earlier versions look up.
    const name = [this.#operationId, ...(userId === undefined ? [] : [userId]), key].join("\n");
    const id = `${teamId}/${hash("sha256", name, "hex")}`;
    const fingerprint = hash("sha256", `${request.url}\n${JSON.stringify(request.body)}`, "hex");
    const remember: Remember = ({ id: recordId, createdAt }) => {
      const note: IdempotencyNote = { id, taskId: recordId, fingerprint, createdAt };
      return [create("idempotency-keys", note)];
    };
    return await this.#inFlight.run(id, async () => {
      const earlier = await this.#earlier(id, fingerprint);
      if (earlier !== null) return { made: await find(earlier), isReplay: true };
      try {
        return { made: await make(remember), isReplay: false };
      } catch (error) {
        // Another coordinator was faster with the same key, or the commit was applied though it was not confirmed.
        const made = await this.#earlier(id, fingerprint).catch(() => null);
        if (made === null) throw error;
        return { made: await find(made), isReplay: true };
      }
    });
  }

  async #earlier(id: string, fingerprint: string): Promise<string | null> {
    const note = await this.#store.get("idempotency-keys", id);
    if (note === null) return null;
    if (note.value.fingerprint === fingerprint) return note.value.taskId;
    const detail = "The Idempotency-Key was used for another request; use a new one for this one.";
    throw new Problem("idempotency_key_reused", detail);
  }
}
