/**
 * The SSH gateway: users log into their shells here, and their bytes travel on over the connection that the shell's
 * machine has opened. Nothing listens on that machine. A client with a ticket speaks SSH with an sshd in the container,
 * where the image has one, and its bytes pass here as they are; all others speak it with the gateway.
 */
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import ssh2, { type Connection } from "ssh2";
import { ALGORITHMS } from "./algorithms.ts";
import type { GatewayContext } from "./client.ts";
import { GatewayConnection } from "./connection.ts";
import { ConnectionCount } from "./connection-count.ts";
import { joinWrites } from "./join-writes.ts";
import { CLOSES_WITHIN_MS, KEEPALIVE_EVERY_MS, KEEPALIVES_MISSED_MAX, REVIEW_EVERY_MS } from "./limits.ts";
import { TerminalNotifier } from "./notify-terminals.ts";
import { PasswordThrottle } from "./password-throttle.ts";
import { readPreface } from "./read-preface.ts";
import { RefusedLogins } from "./refused-logins.ts";

export interface GatewayOptions extends GatewayContext {
  readonly listen: { readonly host: string; readonly port: number };
  /** In OpenSSH's format. */
  readonly hostKey: Buffer;
}

export interface Gateway {
  /** `host:port`, with the real port. */
  readonly address: string;
  stop(): Promise<void>;
}

/** Says nothing of versions. */
const IDENT = "elastic";
const BACKLOG = 1024;

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { directory, clock, log, metrics, listen } = options;
  const connections = new Map<Socket, GatewayConnection>();
  const count = new ConnectionCount();
  const context = {
    ...options,
    count,
    throttle: new PasswordThrottle(clock),
    refused: new RefusedLogins(log, clock),
    notifier: new TerminalNotifier(options.tunnels),
  };
  const ssh = new ssh2.Server({
    hostKeys: [options.hostKey],
    ident: IDENT,
    algorithms: { ...ALGORITHMS, kex: [...ALGORITHMS.kex] } as never,
    keepaliveInterval: KEEPALIVE_EVERY_MS,
    keepaliveCountMax: KEEPALIVES_MISSED_MAX,
  });
  ssh.on("connection", (connection: Connection) => {
    const { _sock: socket } = connection as Connection & { readonly _sock: Socket };
    connections.get(socket)?.speaks(connection);
  });
  const begin = async (connection: GatewayConnection, socket: Socket): Promise<void> => {
    const ticket = await readPreface(socket);
    if (ticket !== null && (await connection.presents(ticket)) === "served") return;
    if (socket.destroyed) return;
    joinWrites(socket);
    ssh.injectSocket(socket);
    socket.resume();
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => undefined);
    const connection = new GatewayConnection(context, socket);
    connections.set(socket, connection);
    socket.once("close", () => connections.delete(socket));
    metrics.observed(connections.size);
    begin(connection, socket).catch((error: unknown) => {
      log.warn({ err: error }, "a ticket could not be read");
      connection.drop();
    });
  });
  server.listen({ host: listen.host, port: listen.port, backlog: BACKLOG });
  await once(server, "listening");

  const review = (): void => {
    for (const connection of connections.values()) connection.review();
  };
  const unsubscribe = directory.subscribe(review);
  const timer = setInterval(review, REVIEW_EVERY_MS);
  const { port } = server.address() as AddressInfo;
  return {
    address: `${listen.host.includes(":") ? `[${listen.host}]` : listen.host}:${port}`,
    stop: async () => {
      unsubscribe();
      clearInterval(timer);
      const closed = once(server, "close");
      server.close();
      for (const connection of connections.values()) connection.close("the gateway stops; log in again");
      const force = setTimeout(() => {
        for (const connection of connections.values()) connection.drop();
      }, CLOSES_WITHIN_MS);
      await closed;
      clearTimeout(force);
    },
  };
}
