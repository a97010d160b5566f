/** A server that a test sends requests to; it counts connections, so that none is proof of none. */
import { createServer, type IncomingHttpHeaders, type RequestListener, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export type Script = (request: Received, response: ServerResponse) => void;

export interface Receiver extends AsyncDisposable {
  readonly port: number;
  /** Of its address. */
  readonly url: string;
  readonly received: readonly Received[];
  connections(): number;
}

export interface ReceiverOptions {
  readonly host?: string;
  readonly tls?: { readonly cert: Buffer; readonly key: Buffer };
}

export async function startReceiver(script: Script, options: ReceiverOptions = {}): Promise<Receiver> {
  const { host = "127.0.0.1", tls } = options;
  const received: Received[] = [];
  let connections = 0;
  const onRequest: RequestListener = async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const got = { path: request.url ?? "", headers: request.headers, body: Buffer.concat(chunks) };
    received.push(got);
    script(got, response);
  };
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest);
  server.on("connection", () => connections++);
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `${tls === undefined ? "http" : "https"}://${host.includes(":") ? `[${host}]` : host}:${port}/`,
    received,
    connections: () => connections,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

export function answering(status: number, headers: Readonly<Record<string, string>> = {}, body = ""): Script {
  return (_request, response) => void response.writeHead(status, headers).end(body);
}
