/**
 * Bounds the memory that request bodies may take together. What has come of a body counts, not what may still come:
 * one that is never sent takes nothing. Small ones are free, so that large uploads of one team never hold up the
 * small calls of all.
 */
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import { type Holder, Shares } from "../limits/shares.ts";
import { Problem } from "../problems/problem.ts";

const BYTES_MAX = 512 * 1024 * 1024;
export const FREE_BYTES = 64 * 1024;

/** What its head says; without end where it says nothing. */
export function declaredBytes({ headers }: Pick<IncomingMessage, "headers">): number {
  return Number(headers["content-length"] ?? Number.POSITIVE_INFINITY);
}

export interface CountedBody {
  readonly body: AsyncIterable<Buffer>;
  /** What exceeds it is refused elsewhere, and not stored. */
  readonly bytesMax: number;
  readonly holder: Holder;
  /** Called with what releases the bytes. */
  readonly onceResponded: (release: () => void) => void;
}

export interface BodyBudgetDeps {
  readonly bodyBudget: BodyBudget;
}

export class BodyBudget {
  readonly #bytes = new Shares({ max: BYTES_MAX });

  /** The body as it comes. Fails where no room remains. */
  counted({ body, bytesMax, holder, onceResponded }: CountedBody): Readable {
    let taken = 0;
    let hasResponse = false;
    onceResponded(() => {
      hasResponse = true;
      this.#bytes.give(holder, taken);
    });
    const takeUpTo = (bytes: number) => {
      const more = Math.min(bytes, bytesMax) - FREE_BYTES - taken;
      if (more <= 0 || hasResponse) return;
      if (!this.#bytes.take(holder, more)) {
        throw new Problem("overloaded", "Too many large bodies are on their way in; send this one again in a moment.");
      }
      taken += more;
    };
    const counted = Readable.from(counting(body, takeUpTo), { objectMode: false });
    // Whoever reads it receives its errors; once nobody reads it, they are ignored.
    return counted.on("error", () => undefined);
  }
}

async function* counting(body: AsyncIterable<Buffer>, takeUpTo: (bytes: number) => void): AsyncGenerator<Buffer> {
  let came = 0;
  for await (const chunk of body) {
    came += chunk.length;
    takeUpTo(came);
    yield chunk;
  }
}
