/**
 * A TCP proxy on the loopback address that does to a connection what networks do: drops either direction, stalls, swallows
 * everything, cuts, and treats each chunk as a test says. It passes bytes and knows no protocol. Its mode may be changed
 * while connections are open.
 */
import { connect, createServer, type Server, type Socket } from "node:net";

type Direction = "request" | "response";

/** What happens to bytes from now on. */
export type FaultMode =
  /** Everything passes. */
  | "pass"
  /** Requests pass, responses vanish: the other side has done what was requested, and the client does not learn of it. */
  | "drop-responses"
  /** Responses pass, requests vanish: the other side does not learn that anybody is there. */
  | "drop-requests"
  /** Nothing passes until the mode changes; then what was held is passed on. */
  | "stall"
  /** Everything vanishes and nothing is refused, as behind a dead router. */
  | "black-hole"
  /** Connections are reset, and new ones are reset at once. */
  | "cut";

/** One direction of one connection. */
export interface Passage {
  readonly direction: Direction;
  /** The same object for both directions. */
  readonly connection: object;
  /** Passes bytes on, now or later. */
  pass(bytes: Buffer): void;
  /** Loses bytes. */
  drop(bytes: Buffer): void;
  /** Resets the connection. */
  reset(): void;
}

/** Called with each chunk in place of passing it on. */
export type Treatment = (chunk: Buffer, passage: Passage) => void;

export interface FaultProxy extends AsyncDisposable {
  /** `<host>:<port>`. */
  readonly address: string;
  /** Changes what happens to every connection, present and future. */
  set(mode: FaultMode): void;
  /** What the mode lets pass is treated so from now on; null: it is passed on as it comes. */
  treat(treatment: Treatment | null): void;
  /** Resets the connections that are open; new ones follow the mode. */
  reset(): void;
  /** Bytes that were dropped so far. */
  bytesDropped(): number;
}

interface Pair {
  readonly client: Socket;
  readonly server: Socket;
}

interface Place {
  readonly host: string;
  readonly port: number;
}

/**
 * Proxies to `target`, a `host:port` on the loopback address, at any free port or at a place in 127.0.0.0/8. A target that
 * is not known yet is read at each connection.
 */
export async function startFaultProxy(
  target: string | (() => string),
  place: Place = { host: "127.0.0.1", port: 0 },
): Promise<FaultProxy> {
  const placeOf = typeof target === "string" ? always(onLoopback(target)) : () => onLoopback(target());
  const pairs = new Set<Pair>();
  let mode: FaultMode = "pass";
  let treatment: Treatment | null = null;
  let dropped = 0;

  const resetPair = (pair: Pair): void => {
    pair.client.resetAndDestroy();
    pair.server.resetAndDestroy();
    pairs.delete(pair);
  };
  const reset = (): void => {
    for (const pair of pairs) resetPair(pair);
  };
  const forward = (pair: Pair, direction: Direction): void => {
    const [from, to] = direction === "request" ? [pair.client, pair.server] : [pair.server, pair.client];
    const passage: Passage = {
      direction,
      connection: pair,
      pass: (bytes) => passOn(bytes, from, to, () => mode),
      drop: (bytes) => {
        dropped += bytes.length;
      },
      reset: () => resetPair(pair),
    };
    from.on("data", (data) => {
      if (vanishes(mode, direction)) passage.drop(data);
      else if (treatment === null) passage.pass(data);
      else treatment(data, passage);
    });
    from.once("end", () => {
      if (mode === "pass") to.end();
    });
  };
  const listener = createServer((client) => {
    if (mode === "cut") {
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = { client, server: connect(placeOf()) };
    pairs.add(pair);
    forward(pair, "request");
    forward(pair, "response");
    for (const side of [client, pair.server]) {
      side.on("error", () => {});
      side.once("close", () => {
        pairs.delete(pair);
        client.destroy();
        pair.server.destroy();
      });
    }
    hold(pair, mode);
  });
  const ownPort = await listen(listener, place);
  return {
    address: `${place.host}:${ownPort}`,
    set(next) {
      mode = next;
      if (mode === "cut") reset();
      for (const pair of pairs) hold(pair, mode);
    },
    treat(next) {
      treatment = next;
    },
    reset,
    bytesDropped: () => dropped,
    async [Symbol.asyncDispose]() {
      reset();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

function always<T>(value: T): () => T {
  return () => value;
}

function onLoopback(target: string): Place {
  const [host = "", port = ""] = target.split(":");
  if (host !== "127.0.0.1") throw new Error(`a fault proxy stays on the loopback address, and ${target} is not there`);
  return { host, port: Number(port) };
}

function vanishes(mode: FaultMode, direction: Direction): boolean {
  return mode === "black-hole" || mode === `drop-${direction}s`;
}

/** A stalled connection is not read from, so that the sender's buffers fill as on a real stalled line. */
function hold({ client, server }: Pair, mode: FaultMode): void {
  for (const side of [client, server]) {
    if (mode === "stall") side.pause();
    else side.resume();
  }
}

function passOn(bytes: Buffer, from: Socket, to: Socket, mode: () => FaultMode): void {
  if (to.destroyed || to.write(bytes)) return;
  from.pause();
  to.once("drain", () => {
    if (mode() !== "stall") from.resume();
  });
}

function listen(server: Server, place: Place): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(place, () => {
      const address = server.address();
      if (address === null || typeof address === "string") reject(new Error("no port"));
      else resolve(address.port);
    });
  });
}
