/**
 * All event streams that are open. Each holds memory and a socket, so there are only so many, in all and for one
 * key; when the server stops they all end, and their clients go on at another.
 */
import type { HttpMetrics } from "../../metrics/http-metrics.ts";
import { Problem } from "../problem.ts";
import { EventStream } from "./event-stream.ts";

const TOTAL_MAX = 10_000;
const KEY_MAX = 1_000;

export class EventStreams {
  readonly #metrics: Pick<HttpMetrics, "streaming">;
  readonly #open = new Set<EventStream>();
  readonly #byKey = new Map<string, number>();
  #stopping = false;

  constructor(metrics: Pick<HttpMetrics, "streaming">) {
    this.#metrics = metrics;
  }

  open(keyId: string, mayHear: () => boolean): EventStream {
    const ofKey = this.#byKey.get(keyId) ?? 0;
    if (ofKey >= KEY_MAX || this.#open.size >= TOTAL_MAX) {
      throw new Problem("too_many_waits", "Too many event streams are open; close some, or ask again later.");
    }
    this.#byKey.set(keyId, ofKey + 1);
    const stream = new EventStream({ mayHear, onClosed: () => this.#leave(keyId, stream) });
    this.#open.add(stream);
    this.#metrics.streaming(this.#open.size);
    if (this.#stopping) stream.end();
    return stream;
  }

  stop(): void {
    this.#stopping = true;
    for (const stream of this.#open) stream.end();
  }

  #leave(keyId: string, stream: EventStream): void {
    this.#open.delete(stream);
    const left = (this.#byKey.get(keyId) ?? 1) - 1;
    if (left > 0) this.#byKey.set(keyId, left);
    else this.#byKey.delete(keyId);
    this.#metrics.streaming(this.#open.size);
  }
}
