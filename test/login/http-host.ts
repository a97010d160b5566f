/** A small HTTP server for stand-ins, of which a test can make single paths misbehave. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type Handler = (request: HostRequest, response: ServerResponse) => void | Promise<void>;

export interface HostRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingMessage["headers"];
  /** Of a form; empty for any other body. */
  readonly form: URLSearchParams;
  readonly body: Buffer;
}

export interface HttpHost extends AsyncDisposable {
  readonly url: string;
  /** By path: the handler in place of the host's, until it is removed. */
  readonly faults: Map<string, Handler>;
}

/** `handlers` by path, and `others` for any other path; what they throw is a 500. */
export async function startHttpHost(
  handlers: Readonly<Record<string, Handler>>,
  others: Handler = (_request, response) => void response.writeHead(404).end(),
): Promise<HttpHost> {
  const faults = new Map<string, Handler>();
  const server = createServer(async (incoming, response) => {
    const { method = "", headers } = incoming;
    const url = new URL(incoming.url ?? "/", host.url);
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded") ?? false;
    const form = new URLSearchParams(isForm ? body.toString() : "");
    const handler = faults.get(url.pathname) ?? handlers[url.pathname] ?? others;
    try {
      await handler({ method, url, headers, form, body }, response);
    } catch (error) {
      response.writeHead(500, { "content-type": "text/plain" }).end(String(error));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const host: HttpHost = {
    url: `http://127.0.0.1:${port}`,
    faults,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return host;
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
}

/** Ways in which a provider fails, for `faults`. */
export const FAULTS = {
  down: (_request, response) => void response.destroy(),
  /** Does not respond until the other side gives up. */
  silent: () => undefined,
  failing: (_request, response) => void response.writeHead(503).end(),
  notJson: (_request, response) =>
    void response.writeHead(200, { "content-type": "text/html" }).end("<h1>Maintenance</h1>"),
  brokenJson: (_request, response) =>
    void response.writeHead(200, { "content-type": "application/json" }).end('{"id": '),
  empty: (_request, response) => sendJson(response, 200, {}),
  endless: (_request, response) => {
    response.writeHead(200, { "content-type": "application/json" });
    const more = () => {
      while (!response.destroyed && response.write(" ".repeat(65_536)));
    };
    response.on("drain", more);
    more();
  },
  elsewhere: (_request, response) => void response.writeHead(302, { location: "http://127.0.0.1:1/elsewhere" }).end(),
} as const satisfies Readonly<Record<string, Handler>>;
