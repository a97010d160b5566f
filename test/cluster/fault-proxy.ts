/**
 * A TCP proxy on the loopback address that does to a connection what networks do: drops responses, stalls, swallows
 * everything, cuts. It passes bytes and knows no protocol. Its mode may be changed while connections are open.
 */
import { connect, createServer, type Server, type Socket } from "node:net";

/** What happens to bytes from now on. */
type FaultMode =
  /** Everything passes. */
  | "pass"
  /** Requests pass, responses vanish: the other side has done what was requested, and the client does not learn of it. */
  | "drop-responses"
  /** Nothing passes until the mode changes; then what was held is passed on. */
  | "stall"
  /** Everything vanishes and nothing is refused, as behind a dead router. */
  | "black-hole"
  /** Connections are reset, and new ones are reset at once. */
  | "cut";

export interface FaultProxy extends AsyncDisposable {
  /** `<host>:<port>`. */
  readonly address: string;
  /** Changes what happens to every connection, present and future. */
  set(mode: FaultMode): void;
  /** Resets the connections that are open; new ones follow the mode. */
  reset(): void;
  /** Bytes of responses that were dropped so far. */
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

/** Proxies to `target`, a `host:port` on the loopback address, at any free port or at a place in 127.0.0.0/8. */
export async function startFaultProxy(
  target: string,
  place: Place = { host: "127.0.0.1", port: 0 },
): Promise<FaultProxy> {
  const [host = "", port = ""] = target.split(":");
  if (host !== "127.0.0.1") throw new Error(`a fault proxy stays on the loopback address, and ${target} is not there`);
  const pairs = new Set<Pair>();
  let mode: FaultMode = "pass";
  let dropped = 0;

  const reset = (): void => {
    for (const { client, server } of pairs) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
    pairs.clear();
  };
  const listener = createServer((client) => {
    if (mode === "cut") {
      client.resetAndDestroy();
      return;
    }
    const pair: Pair = { client, server: connect({ host, port: Number(port) }) };
    pairs.add(pair);
    forward(
      client,
      pair.server,
      () => mode,
      "request",
      () => {},
    );
    forward(
      pair.server,
      client,
      () => mode,
      "response",
      (bytes) => {
        dropped += bytes;
      },
    );
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
    reset,
    bytesDropped: () => dropped,
    async [Symbol.asyncDispose]() {
      reset();
      await new Promise((resolve) => listener.close(resolve));
    },
  };
}

/** A stalled connection is not read from, so that the sender's buffers fill as on a real stalled line. */
function hold({ client, server }: Pair, mode: FaultMode): void {
  for (const side of [client, server]) {
    if (mode === "stall") side.pause();
    else side.resume();
  }
}

function forward(
  from: Socket,
  to: Socket,
  mode: () => FaultMode,
  direction: "request" | "response",
  onDropped: (bytes: number) => void,
): void {
  from.on("data", (data) => {
    const vanishes = mode() === "black-hole" || (mode() === "drop-responses" && direction === "response");
    if (vanishes) {
      onDropped(data.length);
      return;
    }
    if (to.write(data)) return;
    from.pause();
    to.once("drain", () => {
      if (mode() !== "stall") from.resume();
    });
  });
  from.once("end", () => {
    if (mode() === "pass") to.end();
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
