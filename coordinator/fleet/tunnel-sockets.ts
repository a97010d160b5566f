/**
 * Connections of agents that carry the bytes of an sshd, to the port that gRPC is on. They begin with a line that names the
 * tunnel, which its node alone was sent, over its link; what follows is the sshd's. SSH encrypts it from end to end, so they
 * carry it in plain: TLS cost as much as all else on the way. Where nothing but TLS gets through between a machine and its
 * coordinator, and of older agents, they are TLS with the node's certificate, known by the absence of ALPN.
 */
import { once } from "node:events";
import type { Http2SecureServer } from "node:http2";
import type { Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import type { Server } from "@grpc/grpc-js";
import type { NodeGate } from "./node-gate.ts";
import { readIdentity } from "./node-identity.ts";
import type { TunnelOpenings } from "./tunnel-openings.ts";

interface Line {
  readonly pattern: RegExp;
  readonly bytes: number;
}

const ID_LENGTH = 32;
const TLS_LINE = lineOf("elastic-tunnel ", "\n");
/** As SSH begins, so that what lets no SSH through to this port shows here, and the agent takes TLS. */
const PLAIN_LINE = lineOf("SSH-2.0-elastic_tunnel ", "\r\n");
/** By which the agent knows that it may send: what comes after it is the client's. */
const ACCEPTED = "\n";
const LINE_WITHIN_MS = 10_000;

interface Context {
  readonly tunnels: Pick<TunnelOpenings, "accept" | "holderOf">;
  readonly gate: Pick<NodeGate, "admit">;
}

/** gRPC leaves alone what it does not speak. */
export function acceptTunnelSockets(server: Server, context: Context): void {
  const { http2Servers } = server as unknown as { readonly http2Servers: ReadonlyMap<Http2SecureServer, unknown> };
  for (const listening of http2Servers.keys()) {
    listening.on("unknownProtocol", (socket: TLSSocket) => {
      socket.on("error", () => undefined);
      serveTls(socket, context).catch(() => socket.destroy());
    });
  }
}

/** One that does not begin with TLS. */
export function acceptPlain(socket: Socket, context: Context): void {
  servePlain(socket, context).catch(() => socket.destroy());
}

async function serveTls(socket: TLSSocket, { tunnels, gate }: Context): Promise<void> {
  const identity = readIdentity(socket.getPeerCertificate());
  const admitted = socket.authorized && gate.admit(identity, socket);
  const tunnelId = admitted ? await readTunnelId(socket, TLS_LINE) : null;
  if (identity === null || tunnelId === null || !tunnels.accept(identity.nodeId, tunnelId, socket)) socket.destroy();
}

async function servePlain(socket: Socket, { tunnels, gate }: Context): Promise<void> {
  const tunnelId = await readTunnelId(socket, PLAIN_LINE);
  const identity = tunnelId === null ? null : tunnels.holderOf(tunnelId);
  if (tunnelId === null || identity === null || !gate.admit(identity, socket)) {
    socket.destroy();
    return;
  }
  socket.write(ACCEPTED);
  if (!tunnels.accept(identity.nodeId, tunnelId, socket)) socket.destroy();
}

/** Null for anything else. What follows it stays unread. */
async function readTunnelId(socket: Socket, { pattern, bytes }: Line): Promise<string | null> {
  const within = AbortSignal.timeout(LINE_WITHIN_MS);
  let received = Buffer.alloc(0);
  while (received.length < bytes) {
    const more: Buffer | null = socket.read();
    if (more !== null) received = Buffer.concat([received, more]);
    else if (socket.readableEnded || socket.destroyed) return null;
    else await Promise.race([once(socket, "readable", { signal: within }), once(socket, "close", { signal: within })]);
  }
  const [line = "", tunnelId = null] = pattern.exec(received.toString("latin1", 0, bytes)) ?? [];
  const rest = received.subarray(line.length);
  if (tunnelId !== null && rest.length > 0) socket.unshift(rest);
  return tunnelId;
}

function lineOf(before: string, after: string): Line {
  const pattern = new RegExp(`^${before.replaceAll(".", "\\.")}([0-9a-f]{${ID_LENGTH}})${after}`);
  return { pattern, bytes: before.length + ID_LENGTH + after.length };
}
