/**
 * All event streams that are open. Each holds memory and a socket, so there are only so many, in all, for one
 * key and for one team; when the server stops they all end, and their clients go on at another.
 */
import type { HttpMetrics } from "../../metrics/http-metrics.ts";
import { type Holder, Shares } from "../limits/shares.ts";
import { Problem } from "../problem.ts";
import { EventStream } from "./event-stream.ts";

const PLACES = { max: 10_000, keyMax: 1_000 };

export class EventStreams {
  readonly #metrics: Pick<HttpMetrics, "streaming">;
  readonly #open = new Set<EventStream>();
  readonly #places = new Shares(PLACES);
  #stopping = false;

  constructor(metrics: Pick<HttpMetrics, "streaming">) {
    this.#metrics = metrics;
  }

  open(holder: Holder, mayHear: () => boolean): EventStream {
    if (!this.#places.take(holder)) {
      throw new Problem("too_many_waits", "Too many event streams are open; close some, or ask again later.");
    }
    const stream = new EventStream({ mayHear, onClosed: () => this.#leave(holder, stream) });
    this.#open.add(stream);
    this.#metrics.streaming(this.#open.size);
    if (this.#stopping) stream.end();
    return stream;
  }

  stop(): void {
    this.#stopping = true;
    for (const stream of this.#open) stream.end();
  }

  #leave(holder: Holder, stream: EventStream): void {
    this.#open.delete(stream);
    this.#places.give(holder);
    this.#metrics.streaming(this.#open.size);
  }
}
