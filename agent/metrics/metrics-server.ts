/** Serves `/metrics` on a listener of its own. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Registry } from "prom-client";
import type { ListenAddress } from "../config.ts";

export interface MetricsServer {
  /** `host:port` as it listens. */
  readonly address: string;
  stop(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 5_000;

export async function startMetricsServer(registry: Registry, { host, port }: ListenAddress): Promise<MetricsServer> {
  const server = createServer({ requestTimeout: REQUEST_TIMEOUT_MS }, async (request, response) => {
    if (request.method !== "GET" || request.url !== "/metrics") {
      response.writeHead(404).end();
      return;
    }
    response.setHeader("content-type", registry.contentType);
    response.end(await registry.metrics());
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  const bound = server.address() as AddressInfo;
  return { address: `${host.includes(":") ? `[${host}]` : host}:${bound.port}`, stop: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
