/** The `Idempotency-Key` of a request, and those of requests that are being worked on. */
import type { FastifyRequest } from "fastify";
import { Problem } from "../problems/problem.ts";

const IDEMPOTENCY_HEADER = "idempotency-key";

const KEY = /^[\x21-\x7e]{1,255}$/;

/** Null where there is none. */
export function idempotencyKeyOf({ headers }: FastifyRequest): string | null {
  const text = headers[IDEMPOTENCY_HEADER];
  if (text === undefined) return null;
  if (typeof text === "string" && KEY.test(text)) return text;
  throw new Problem("idempotency_key_invalid", "Idempotency-Key must be 1 to 255 visible ASCII characters.");
}

/** Keys whose requests are being worked on here. */
export class KeysInFlight {
  readonly #ids = new Set<string>();

  async run<T>(id: string, work: () => Promise<T>): Promise<T> {
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
