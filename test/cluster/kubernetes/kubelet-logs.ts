/** The endpoint of a kubelet from which an API server reads the logs of containers. */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { StreamFrames } from "@elastic/agent/workloads/docker/stream-frames.ts";
import type { Container } from "dockerode";

export interface LogEndpoint {
  readonly port: number;
  close(): void;
}

export async function serveLogs(
  tls: { readonly certFile: string; readonly keyFile: string },
  containerOf: (podName: string) => Container | null,
): Promise<LogEndpoint> {
  const options = { cert: readFileSync(tls.certFile), key: readFileSync(tls.keyFile) };
  const server = createServer(options, (request, response) => {
    const url = new URL(request.url ?? "/", "https://kubelet");
    const [, endpoint, , podName = ""] = url.pathname.split("/");
    const container = endpoint === "containerLogs" ? containerOf(podName) : null;
    if (container === null) {
      response.writeHead(404).end();
      return;
    }
    sendLog(container, url.searchParams, response).catch(() => response.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function sendLog(container: Container, query: URLSearchParams, response: ServerResponse): Promise<void> {
  const since = query.get("sinceTime");
  const part = {
    stdout: true,
    stderr: true,
    ...(query.has("tailLines") ? { tail: Number(query.get("tailLines")) } : {}),
    ...(since === null ? {} : { since: Date.parse(since) / 1000 }),
  };
  const frames = new StreamFrames();
  response.writeHead(200, { "content-type": "text/plain" });
  response.flushHeaders();
  if (query.get("follow") !== "true") {
    const log = Buffer.from(await container.logs({ ...part, follow: false }));
    for (const { bytes } of frames.take(log)) response.write(bytes);
    response.end();
    return;
  }
  const stream = await container.logs({ ...part, follow: true });
  response.on("close", () => (stream as NodeJS.ReadableStream & { destroy(): void }).destroy());
  for await (const chunk of stream) for (const { bytes } of frames.take(chunk as Buffer)) response.write(bytes);
  response.end();
}
