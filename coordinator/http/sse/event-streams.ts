/**
 * All event streams that are open. Each holds memory and a socket, so there are only so many, in all, for one
 * key and for one team; when the server stops they all end, and their clients resume at another. A silent one also ends
 * within a second once its client may no longer read.
 */
import { VIEW_AGE_MAX_MS } from "../../auth/authenticate.ts";
import type { HttpMetrics } from "../../metrics/http-metrics.ts";
import type { View } from "../../store/store.ts";
import { type Holder, Shares } from "../limits/shares.ts";
import { Problem } from "../problems/problem.ts";
import { EventStream } from "./event-stream.ts";

const PLACES = { max: 10_000, keyMax: 1_000 };
const RECHECK_EVERY_MS = 500;

export interface StreamDeps {
  readonly streams: EventStreams;
}

export class EventStreams {
  readonly #metrics: Pick<HttpMetrics, "streaming">;
  readonly #view: Pick<View, "ageMs">;
  readonly #open = new Set<EventStream>();
  readonly #places = new Shares(PLACES);
  #recheck: NodeJS.Timeout | null = null;
  #stopping = false;

  constructor(metrics: Pick<HttpMetrics, "streaming">, view: Pick<View, "ageMs">) {
    this.#metrics = metrics;
    this.#view = view;
  }

  open(holder: Holder, mayReceive: () => boolean): EventStream {
    if (!this.#places.take(holder)) {
      throw new Problem("too_many_waits", "Too many event streams are open; close some, or try again later.");
    }
    const stream = new EventStream({ mayReceive, onClosed: () => this.#leave(holder, stream) });
    this.#open.add(stream);
    this.#recheck ??= setInterval(() => this.#recheckAll(), RECHECK_EVERY_MS);
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
    if (this.#open.size > 0 || this.#recheck === null) return;
    clearInterval(this.#recheck);
    this.#recheck = null;
  }

  #recheckAll(): void {
    // Who may still read is unknown. Until it is known, nothing is sent: a stream with something to send ends.
    if (this.#view.ageMs() > VIEW_AGE_MAX_MS) return;
    for (const stream of this.#open) stream.recheck();
  }
}
