/** A server that a test scripts, for responses that a real one sends too rarely to wait for. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export type Script = (request: SeenRequest, response: ServerResponse) => void;

export interface ScriptedServer {
  readonly url: string;
  readonly seen: readonly SeenRequest[];
  stop(): Promise<void>;
}

export async function startScriptedServer(script: Script): Promise<ScriptedServer> {
  const seen: SeenRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url: path = "", headers } = request;
    const got = { method, path, headers, body: Buffer.concat(chunks) };
    seen.push(got);
    script(got, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  const type = status < 300 ? "application/json" : "application/problem+json";
  response.writeHead(status, { "content-type": type, ...headers }).end(JSON.stringify(body));
}
