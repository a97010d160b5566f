/**
 * Requests that become WebSockets. They go through the hooks and handlers of their route as any other request, so they are
 * authenticated, checked and refused alike; the handler then accepts the WebSocket. All other paths ignore `Upgrade`.
 */
import { type IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { type WebSocket, WebSocketServer } from "ws";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import { MESSAGE_BYTES_MAX } from "./terminal-limits.ts";

const PATH = /^\/v1\/shells\/[^/?]+\/terminal(\?|$)/;

interface Upgrade {
  readonly socket: Duplex;
  readonly head: Buffer;
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>();

const server = new WebSocketServer({
  noServer: true,
  clientTracking: false,
  // It holds memory for each connection, and a terminal's output is small.
  perMessageDeflate: false,
  maxPayload: MESSAGE_BYTES_MAX,
  // Each is a frame that waits where a client does not read: see TerminalConnection.
  autoPong: false,
});

/** Of Node's HTTP server: whether the request's connection may become another protocol's. */
export function shouldUpgrade({ url, headers }: IncomingMessage): boolean {
  return PATH.test(url ?? "") && headers.upgrade?.toLowerCase() === "websocket";
}

export function routeUpgrades(app: App): void {
  app.server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Node has let go of the socket, so what fails on it is nobody's but ours.
    socket.on("error", () => undefined);
    upgrades.set(request, { socket, head });
    const response = new ServerResponse(request);
    response.shouldKeepAlive = false;
    response.assignSocket(request.socket);
    response.once("finish", () => request.socket.destroySoon());
    app.routing(request, response);
  });
}

/** Throws the refusal of a request that is no upgrade to WebSocket. */
export function refuseUnlessUpgrade({ raw }: FastifyRequest): void {
  if (upgrades.has(raw)) return;
  throw new Problem("upgrade_required", "This is a WebSocket: the request needs the header `Upgrade: websocket`.", {
    headers: { upgrade: "websocket", connection: "upgrade, close" },
  });
}

/** Calls back when the handshake has succeeded; where it fails the client is refused, and nothing is called. */
export function acceptWebSocket(
  { raw }: FastifyRequest,
  reply: FastifyReply,
  accepted: (socket: WebSocket) => void,
): void {
  const upgrade = upgrades.get(raw);
  if (upgrade === undefined) throw new Error("the request is no upgrade to WebSocket");
  reply.hijack();
  reply.raw.detachSocket(raw.socket);
  server.handleUpgrade(raw, upgrade.socket, upgrade.head, accepted);
}
