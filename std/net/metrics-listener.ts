/**
 * Serves `/metrics` on a dedicated listener, in the text of whatever gathers them. Gathering takes time of the event loop
 * that heartbeats and requests share, so scrapes that come in a flood are served together.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Logger } from "../log.ts";

/** As registries of Prometheus clients are. */
interface MetricsSource {
  readonly contentType: string;
  metrics(): Promise<string>;
}

export interface MetricsListener {
  /** `host:port` as it listens. */
  readonly address: string;
  stop(): Promise<void>;
}

export interface MetricsListenerOptions {
  readonly source: MetricsSource;
  readonly listen: { readonly host: string; readonly port: number };
  readonly log: Logger;
}

const CONNECTIONS_MAX = 64;
/** From one collection to the next: a flood of scrapes costs ten of them in a second. */
const COLLECT_EVERY_MS = 100;

/** At most 64 connections at a time. Rejects where it cannot listen. */
export async function listenForMetrics({ source, listen, log }: MetricsListenerOptions): Promise<MetricsListener> {
  const shared = new SharedCollection(source);
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("see /metrics\n");
      return;
    }
    shared.text().then(
      (text) => response.writeHead(200, { "content-type": source.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "metrics could not be collected");
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = CONNECTIONS_MAX;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(listen.port, listen.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  return {
    address: `${family === "IPv6" ? `[${address}]` : address}:${port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Every scrape gets what was collected after it came; those that come meanwhile share the next collection. */
class SharedCollection {
  readonly #source: Pick<MetricsSource, "metrics">;
  /** Until another one may begin. */
  #pause: Promise<unknown> = Promise.resolve();
  /** That has not begun. */
  #next: Promise<string> | null = null;

  constructor(source: Pick<MetricsSource, "metrics">) {
    this.#source = source;
  }

  text(): Promise<string> {
    this.#next ??= this.#collect();
    return this.#next;
  }

  async #collect(): Promise<string> {
    await this.#pause;
    this.#next = null;
    const text = this.#source.metrics();
    const settled = text.then(
      () => undefined,
      () => undefined,
    );
    this.#pause = settled.then(() => delay(COLLECT_EVERY_MS, undefined, { ref: false }));
    return text;
  }
}
