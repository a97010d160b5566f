/**
 * One port for two kinds of connections of agents: TLS, which gRPC gets, and tunnels to an sshd in plain, whose first byte is
 * none of a TLS handshake.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Server, ServerCredentials } from "@grpc/grpc-js";

export interface FleetListenerOptions {
  /** `host:port`; port 0 takes a free one. */
  readonly listen: string;
  readonly grpc: Server;
  readonly credentials: ServerCredentials;
  /** Nothing of what it sends has been read. */
  readonly plain: (socket: Socket) => void;
}

export interface FleetListener {
  /** With the real port. */
  readonly address: string;
  /** No further connections; those of gRPC are gRPC's to end. */
  stop(): Promise<void>;
}

const TLS_HANDSHAKE = 0x16;
/** From the connection to its first byte. */
const SPEAKS_WITHIN_MS = 10_000;

export async function listenForAgents(options: FleetListenerOptions): Promise<FleetListener> {
  const { listen, grpc, credentials, plain } = options;
  const calls = grpc.createConnectionInjector(credentials);
  const undecided = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    undecided.add(socket);
    const drop = () => socket.destroy();
    const silent = setTimeout(drop, SPEAKS_WITHIN_MS);
    socket.on("error", drop).once("close", () => {
      clearTimeout(silent);
      undecided.delete(socket);
    });
    socket.once("readable", () => {
      clearTimeout(silent);
      undecided.delete(socket);
      const first: Buffer | null = socket.read();
      if (first === null) {
        drop();
        return;
      }
      socket.unshift(first);
      if (first[0] === TLS_HANDSHAKE) calls.injectConnection(socket);
      else plain(socket);
    });
  });
  const colon = listen.lastIndexOf(":");
  const host = listen.slice(0, colon);
  server.listen(Number(listen.slice(colon + 1)), host.replace(/^\[|\]$/g, ""));
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    address: `${host}:${port}`,
    stop: async () => {
      // Its connections end later, each with what it carries.
      server.close();
      for (const socket of undecided) socket.destroy();
    },
  };
}
