/** Serves `/metrics` on a dedicated listener, in the text of whatever gathers them. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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

/** At most 64 connections at a time. Rejects where it cannot listen. */
export async function listenForMetrics({ source, listen, log }: MetricsListenerOptions): Promise<MetricsListener> {
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("see /metrics\n");
      return;
    }
    source.metrics().then(
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
