/**
 * The only way out of a shell or a build: an HTTP proxy on a Unix socket of the host, that opens connections to what a
 * list names and to nothing else. What is sent over TLS passes unread; requests in clear are read one by one.
 */
import { once } from "node:events";
import { rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http";
import type { Socket } from "node:net";
import { type Duplex, pipeline } from "node:stream";
import type { EgressRule } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import type { Logger } from "@elastic/std/log.ts";
import { type Destination, isAllowed, parseAuthority, parseHttpUrl } from "./destination.ts";
import { type DialOptions, dial, NoWayOut } from "./dial.ts";

export interface AllowProxyOptions extends DialOptions {
  readonly socketPath: string;
  readonly rules: readonly EgressRule[];
  /** Whose list it is, as a refusal says it. */
  readonly listOf?: string;
  /** Called with each destination, allowed or not. */
  readonly onDecision?: (to: Destination, isAllowed: boolean) => void;
  /** Hosts that exist here only, by name: these respond to requests in clear. */
  readonly localHosts?: ReadonlyMap<string, LocalHost>;
  readonly log: Logger;
}

export type LocalHost = (request: IncomingMessage, answer: ServerResponse) => void;

export interface AllowProxy {
  stop(): Promise<void>;
}

export const CONNECTIONS_MAX = 128;
const HEAD_WITHIN_MS = 10_000;
const IDLE_MS = 600_000;
/** Between a client and its proxy, and nobody else's. Trailers are not passed on, so neither is their announcement. */
const HOP_BY_HOP = ["connection", "proxy-connection", "proxy-authorization", "keep-alive", "te", "trailer", "upgrade"];

export async function startAllowProxy(options: AllowProxyOptions): Promise<AllowProxy> {
  const over = new AbortController();
  const server = createServer({ headersTimeout: HEAD_WITHIN_MS, requestTimeout: 0 });
  server.maxConnections = CONNECTIONS_MAX;
  const open = async (to: Destination | null): Promise<Socket> => {
    if (to === null) throw new NoWayOut("not_understood", "this is a proxy: request host:port, or a URL with http://");
    const allowed = isAllowed(options.rules, to);
    options.onDecision?.(to, allowed);
    if (!allowed)
      throw new NoWayOut("forbidden", `${to.host}:${to.port} is not on ${options.listOf ?? "this shell's list"}`);
    const socket = await dial(to, options, over.signal);
    options.log.debug({ host: to.host, port: to.port }, "a connection was opened");
    return socket;
  };
  server.on("connect", (request, client, head) => void tunnel(open, request, client, head));
  server.on("request", (request, answer) => {
    const local = options.localHosts?.get(parseHttpUrl(request.url ?? "")?.host ?? "");
    if (local === undefined) void forward(open, request, answer);
    else local(request, answer);
  });
  server.on("clientError", (_error, client) => client.destroy());
  // One that an agent left that was killed.
  await rm(options.socketPath, { force: true });
  server.listen(options.socketPath);
  await once(server, "listening");
  const sockets = new Set<Duplex>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    stop: async () => {
      over.abort();
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

type Open = (to: Destination | null) => Promise<Socket>;

async function tunnel(open: Open, { url = "" }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
  client.on("error", () => undefined);
  try {
    const far = await open(parseAuthority(url));
    if (client.destroyed) return void far.destroy();
    far.setTimeout(IDLE_MS, () => far.destroy());
    client.write("HTTP/1.1 200 Connection established\r\n\r\n");
    far.write(head);
    const end = (error: unknown) => {
      if (error) for (const side of [client, far]) side.destroy();
    };
    pipeline(client, far, end);
    pipeline(far, client, end);
  } catch (error) {
    const { status, text } = refusalOf(error);
    client.end(`HTTP/1.1 ${status}\r\ncontent-type: text/plain\r\nconnection: close\r\n\r\n${text}`);
  }
}

async function forward(open: Open, request: IncomingMessage, answer: ServerResponse): Promise<void> {
  const to = parseHttpUrl(request.url ?? "");
  try {
    const far = await open(to);
    answer.once("close", () => far.destroy());
    if (answer.destroyed) return void far.destroy();
    far.setTimeout(IDLE_MS, () => far.destroy());
    const host = new URL(request.url ?? "").host;
    const passed = send({
      createConnection: () => far,
      method: request.method ?? "GET",
      path: to?.path ?? "/",
      headers: { ...withoutHops(request), host, connection: "close" },
    });
    passed.once("response", (response) => handBack(response, answer));
    passed.once("error", (error) => (answer.headersSent ? answer.destroy() : refuse(answer, error)));
    pipeline(request, passed, () => undefined);
  } catch (error) {
    refuse(answer, error);
  }
}

function handBack(response: IncomingMessage, answer: ServerResponse): void {
  try {
    // How its length is given is between the next two again.
    answer.writeHead(response.statusCode ?? 502, withoutHops(response, "transfer-encoding"));
  } catch (error) {
    // Heads that can be read and not be written, such as one of status 099: nobody above would catch it.
    refuse(answer, error);
    return;
  }
  pipeline(response, answer, () => undefined);
}

function withoutHops({ headersDistinct }: IncomingMessage, ...also: readonly string[]): Record<string, string[]> {
  const passed: Record<string, string[]> = {};
  for (const [name, values = []] of Object.entries(headersDistinct)) {
    if (!HOP_BY_HOP.includes(name) && !also.includes(name)) passed[name] = values;
  }
  return passed;
}

function refuse(answer: ServerResponse, error: unknown): void {
  const { status, text } = refusalOf(error);
  const [code] = status.split(" ");
  answer.writeHead(Number(code), { "content-type": "text/plain", connection: "close" }).end(text);
}

const STATUS = { not_understood: "400 Bad Request", forbidden: "403 Forbidden", failed: "502 Bad Gateway" } as const;

function refusalOf(error: unknown): { readonly status: string; readonly text: string } {
  const why = error instanceof NoWayOut ? error : new NoWayOut("failed", "the connection broke");
  return { status: STATUS[why.kind], text: `${why.message}\n` };
}
