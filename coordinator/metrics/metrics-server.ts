/** Serves the registry on a listener of its own, on loopback unless told otherwise. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "@elastic/std/log.ts";
import type { Registry } from "prom-client";

export interface MetricsServer {
  readonly url: string;
  stop(): Promise<void>;
}

export async function startMetricsServer(options: {
  readonly registry: Registry;
  readonly listen: { readonly host: string; readonly port: number };
  readonly log: Logger;
}): Promise<MetricsServer> {
  const { registry, listen, log } = options;
  const server = createServer({ requestTimeout: 10_000, headersTimeout: 5_000 }, (request, response) => {
    if (request.url !== "/metrics" || (request.method !== "GET" && request.method !== "HEAD")) {
      response.writeHead(404, { "content-type": "text/plain" }).end("see /metrics\n");
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { "content-type": registry.contentType }).end(text),
      (error: unknown) => {
        log.error({ err: error }, "metrics could not be collected");
        response.writeHead(500).end();
      },
    );
  });
  server.maxConnections = 64;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(listen.port, listen.host, resolve);
  });
  const { address, port, family } = server.address() as AddressInfo;
  const host = family === "IPv6" ? `[${address}]` : address;
  return {
    url: `http://${host}:${port}/metrics`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
