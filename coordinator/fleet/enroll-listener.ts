/**
 * One port for two protocols, both over TLS of the coordinators' authority and without client certificates: gRPC for enrollment, and
 * HTTP/1.1 for what is downloaded before there is an agent. Clients choose by ALPN; who names both gets HTTP/1.1, as gRPC names h2 alone.
 */
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { type Server, ServerCredentials } from "@grpc/grpc-js";
import type { ServerTlsSource } from "./read-server-tls.ts";

export interface EnrollListenerOptions {
  /** `host:port`; port 0 takes a free one. */
  readonly listen: string;
  readonly tls: ServerTlsSource;
  readonly grpc: Server;
  readonly http: RequestListener;
  /** Within which a request over HTTP is to be complete; default 10 s. */
  readonly requestMs?: number;
  /** Connections of one address; default 200. */
  readonly ofSourceMax?: number;
}

export interface EnrollListener {
  readonly address: string;
  /** Ends what is downloaded, and not the calls of `grpc`. */
  stop(): Promise<void>;
}

const HANDSHAKE_MS = 10_000;
/** Until a request is complete. Node's own limits are those of servers that listen themselves. */
const REQUEST_MS = 10_000;
const CONNECTIONS_MAX = 1_000;
/** So that no address takes all; as many machines may be behind one. */
const CONNECTIONS_OF_SOURCE_MAX = 200;

export async function listenForEnrollment(options: EnrollListenerOptions): Promise<EnrollListener> {
  const { listen, tls, grpc, http, requestMs = REQUEST_MS, ofSourceMax = CONNECTIONS_OF_SOURCE_MAX } = options;
  const deadlines = new WeakMap<object, NodeJS.Timeout>();
  const downloads = createHttpServer((request, response) => {
    clearTimeout(deadlines.get(request.socket));
    // One request for each connection, so that none waits for another.
    response.setHeader("connection", "close");
    http(request, response);
  });
  // What comes here is decrypted.
  const calls = grpc.createConnectionInjector(ServerCredentials.createInsecure());
  const server = createTlsServer({
    cert: tls.current().cert,
    key: tls.current().key,
    handshakeTimeout: HANDSHAKE_MS,
    ALPNCallback: ({ protocols }) => ["http/1.1", "h2"].find((one) => protocols.includes(one)),
  });
  server.maxConnections = CONNECTIONS_MAX;
  const sources = new Map<string, number>();
  // Before TLS: a handshake costs more than it does.
  server.on("connection", (socket: Socket) => {
    const source = socket.remoteAddress ?? "";
    const count = sources.get(source) ?? 0;
    if (count >= ofSourceMax) return void socket.destroy();
    sources.set(source, count + 1);
    socket.once("close", () => {
      const left = (sources.get(source) ?? 1) - 1;
      if (left === 0) sources.delete(source);
      else sources.set(source, left);
    });
  });
  const stopFollowing = tls.subscribe(() => {
    const { cert, key } = tls.current();
    server.setSecureContext({ cert, key });
  });
  const open = new Set<TLSSocket>();
  server.on("secureConnection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
    // Until a protocol has it, nobody else handles that it breaks.
    socket.on("error", () => socket.destroy());
    if (socket.alpnProtocol === "h2") calls.injectConnection(socket);
    else {
      const deadline = setTimeout(() => socket.destroy(), requestMs);
      deadlines.set(socket, deadline);
      socket.once("close", () => clearTimeout(deadline));
      downloads.emit("connection", socket);
    }
  });
  const colon = listen.lastIndexOf(":");
  const host = listen.slice(0, colon);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(Number(listen.slice(colon + 1)), host.replace(/^\[|\]$/g, ""), resolve);
  });
  const bound = server.address();
  const port = typeof bound === "object" && bound !== null ? bound.port : 0;
  return {
    address: `${host}:${port}`,
    stop: async () => {
      stopFollowing();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      downloads.closeAllConnections();
      for (const socket of open) if (socket.alpnProtocol !== "h2") socket.destroy();
      calls.drain(0);
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}
