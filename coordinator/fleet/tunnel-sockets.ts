/**
 * Connections of agents that carry the bytes of an sshd: TLS to the port that gRPC is on, with the node's certificate, and
 * without ALPN, by which they are known. They begin with a line that names the tunnel; what follows is the sshd's.
 */
import { once } from "node:events";
import type { Http2SecureServer } from "node:http2";
import type { TLSSocket } from "node:tls";
import type { Server } from "@grpc/grpc-js";
import type { NodeGate } from "./node-gate.ts";
import { readIdentity } from "./node-identity.ts";
import type { TunnelOpenings } from "./tunnel-openings.ts";

const LINE = /^elastic-tunnel ([0-9a-f]{32})\n/;
const LINE_BYTES = "elastic-tunnel ".length + 32 + 1;
/** From the end of the handshake. */
const LINE_WITHIN_MS = 10_000;

interface Context {
  readonly tunnels: Pick<TunnelOpenings, "accept">;
  readonly gate: Pick<NodeGate, "admit">;
}

/** To be called once the server listens: gRPC leaves alone what it does not speak. */
export function acceptTunnelSockets(server: Server, context: Context): void {
  const { http2Servers } = server as unknown as { readonly http2Servers: ReadonlyMap<Http2SecureServer, unknown> };
  for (const listening of http2Servers.keys()) {
    listening.on("unknownProtocol", (socket: TLSSocket) => {
      socket.on("error", () => undefined);
      serve(socket, context).catch(() => socket.destroy());
    });
  }
}

async function serve(socket: TLSSocket, { tunnels, gate }: Context): Promise<void> {
  const identity = readIdentity(socket.getPeerCertificate());
  const admitted = socket.authorized && gate.admit(identity, socket);
  const tunnelId = admitted ? await readTunnelId(socket) : null;
  if (identity === null || tunnelId === null || !tunnels.accept(identity.nodeId, tunnelId, socket)) socket.destroy();
}

/** Null for anything else. What follows it stays unread. */
async function readTunnelId(socket: TLSSocket): Promise<string | null> {
  const within = AbortSignal.timeout(LINE_WITHIN_MS);
  let received = Buffer.alloc(0);
  while (received.length < LINE_BYTES) {
    const more: Buffer | null = socket.read();
    if (more !== null) received = Buffer.concat([received, more]);
    else if (socket.readableEnded || socket.destroyed) return null;
    else await Promise.race([once(socket, "readable", { signal: within }), once(socket, "close", { signal: within })]);
  }
  const [line = "", tunnelId = null] = LINE.exec(received.toString("latin1", 0, LINE_BYTES)) ?? [];
  const rest = received.subarray(line.length);
  if (tunnelId !== null && rest.length > 0) socket.unshift(rest);
  return tunnelId;
}
