/**
 * The stream of an agent over the simulated network, on both sides with the interface of gRPC. A stream keeps its order; an old
 * one may still bring what was sent on it after a new one was opened, and each side notices its end when it does.
 */
import { EventEmitter } from "node:events";
import type { LinkCall } from "@elastic/coordinator/fleet/link.ts";
import { ConnectRequest, ConnectResponse, type FleetServiceClient } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ServiceError, status } from "@grpc/grpc-js";
import { type Network, Pipe } from "./network.ts";
import type { Process } from "./world.ts";

/** A side that receives nothing of a connection for so long gives it up: gRPC's keep-alive. */
const KEEPALIVE_MS = 10_000;
/** The certificate of a node. */
const VALID_TO = "Jan  1 00:00:00 2040 GMT";

/** Who accepts streams at an address; null where nothing listens. */
export type FindListener = (address: string) => { readonly process: Process; accept(call: LinkCall): void } | null;

export class AgentStreams {
  /** A coordinator has received a message of an agent. */
  onReceived: (coordinator: Process, agent: Process) => void = () => undefined;
  readonly #network: Network;
  readonly #find: FindListener;
  readonly #open = new Set<Connection>();

  constructor(network: Network, find: FindListener) {
    this.#network = network;
    this.#find = find;
  }

  /** Of one node, in the process of its agent. */
  dial(agent: Process, nodeId: string, address: string): FleetServiceClient {
    const client = {
      connect: () => {
        const listener = this.#find(address);
        const onReceived = () => listener !== null && this.onReceived(listener.process, agent);
        const connection = new Connection(this.#network, { agent, nodeId, listener, onReceived });
        this.#open.add(connection);
        connection.onOver(() => this.#open.delete(connection));
        return connection.client;
      },
      close: () => undefined,
    };
    return client as unknown as FleetServiceClient;
  }

  /** The connections between two machines break; each side notices in its time. */
  cut(one: string, other: string, noticeMs: () => number): void {
    for (const connection of [...this.#open]) {
      if (connection.isBetween(one, other)) connection.cut(noticeMs(), noticeMs());
    }
  }

  /** The way between two machines is closed: what lasts longer than the keep-alive ends their connections. */
  starve(one: string, other: string, forMs: number): void {
    if (forMs <= KEEPALIVE_MS) return;
    this.#network.world.in(null, KEEPALIVE_MS, "keep-alive", () => this.cut(one, other, () => 0));
  }
}

interface Ends {
  readonly agent: Process;
  readonly nodeId: string;
  readonly listener: ReturnType<FindListener>;
  readonly onReceived: () => void;
}

class Connection {
  readonly client: ClientStream;
  readonly #network: Network;
  readonly #agent: Process;
  readonly #listener: ReturnType<FindListener>;
  readonly #up: Pipe | null;
  readonly #down: Pipe;
  readonly #call: ServerCall | null;
  readonly #overListeners: (() => void)[] = [];

  constructor(network: Network, { agent, nodeId, listener, onReceived }: Ends) {
    this.#network = network;
    this.#agent = agent;
    this.#listener = listener;
    const server = listener?.process ?? null;
    this.#up = server && new Pipe(network, agent.host, server);
    this.#down = new Pipe(network, server?.host ?? "nowhere", agent);
    this.client = new ClientStream({
      send: (bytes) =>
        this.#up?.send("request", () => {
          onReceived();
          this.#call?.receive(ConnectRequest.decode(bytes));
        }),
      cancel: () => this.#up?.send("cancel", () => this.#call?.lose("cancelled")),
    });
    this.#call =
      listener &&
      new ServerCall(nodeId, {
        send: (bytes) => this.#down.send("response", () => this.client.emit("data", ConnectResponse.decode(bytes))),
        end: (error) => this.#down.send("status", () => this.client.fail(error)),
      });
    if (listener === null || this.#call === null) {
      network.world.in(agent, 5, "refused", () => this.client.fail(unavailable("connection refused")));
      return;
    }
    const call = this.#call;
    // Nothing is sent before both sides know of each other.
    this.#up?.send("connect", () => {
      listener.accept(call as unknown as LinkCall);
      this.#down.send("connected", () => this.client.open());
    });
    agent.onEnd(() => this.#endAt(listener.process, () => call.lose("cancelled")));
    listener.process.onEnd(() => this.#endAt(agent, () => this.client.fail(unavailable("connection reset"))));
  }

  onOver(listener: () => void): void {
    this.#overListeners.push(listener);
  }

  isBetween(one: string, other: string): boolean {
    const ends = [this.#agent.host, this.#listener?.process.host];
    return ends.includes(one) && ends.includes(other);
  }

  cut(agentNoticesMs: number, serverNoticesMs: number): void {
    const { world } = this.#network;
    this.#up?.cut();
    this.#down.cut();
    world.in(this.#agent, agentNoticesMs, "cut", () => this.client.fail(unavailable("connection dropped")));
    if (this.#listener !== null) {
      world.in(this.#listener.process, serverNoticesMs, "cut", () => this.#call?.lose("cancelled"));
    }
    this.#over();
  }

  /** The other side has died, which its machine says where the way is open. */
  #endAt(survivor: Process, notice: () => void): void {
    const { world } = this.#network;
    const from = survivor === this.#agent ? (this.#listener?.process.host ?? "") : this.#agent.host;
    const isBlocked = this.#network.isBlocked(from, survivor.host);
    const afterMs = isBlocked ? KEEPALIVE_MS : this.#network.latencyMs(from, survivor.host);
    if (survivor.isAlive) world.in(survivor, afterMs, "reset", notice);
    this.#over();
  }

  #over(): void {
    for (const listener of this.#overListeners.splice(0)) listener();
  }
}

class ClientStream extends EventEmitter {
  readonly #way: { send(bytes: Uint8Array): void; cancel(): void };
  /** What was written before it was connected; null from then on. */
  #unsent: ConnectRequest[] | null = [];
  #isOver = false;

  constructor(way: { send(bytes: Uint8Array): void; cancel(): void }) {
    super();
    this.#way = way;
  }

  open(): void {
    const unsent = this.#unsent ?? [];
    this.#unsent = null;
    for (const request of unsent) this.write(request);
  }

  write(request: ConnectRequest): boolean {
    if (this.#isOver) return true;
    if (this.#unsent !== null) this.#unsent.push(request);
    else this.#way.send(ConnectRequest.encode(request).finish());
    return true;
  }

  cancel(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#way.cancel();
  }

  fail(error: Partial<ServiceError>): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.emit("error", error);
  }
}

/** As ServerDuplexStream: an error that is emitted on it goes to the client as the status of the call. */
class ServerCall extends EventEmitter {
  readonly writableLength = 0;
  readonly #nodeId: string;
  readonly #way: { send(bytes: Uint8Array): void; end(error: Partial<ServiceError>): void };
  readonly #unread: ConnectRequest[] = [];
  #isPaused = false;
  #isOver = false;

  constructor(nodeId: string, way: { send(bytes: Uint8Array): void; end(error: Partial<ServiceError>): void }) {
    super();
    this.#nodeId = nodeId;
    this.#way = way;
  }

  getAuthContext(): object {
    const subjectaltname = `URI:elastic://node/${this.#nodeId}`;
    return { sslPeerCertificate: { subjectaltname, valid_to: VALID_TO } };
  }

  override emit(event: string, ...given: unknown[]): boolean {
    if (event === "error" && !this.#isOver) {
      this.#isOver = true;
      const { code, message } = given[0] as ServiceError;
      this.#way.end(Object.assign(new Error(message), { code }));
    }
    return super.emit(event, ...given);
  }

  write(response: ConnectResponse): boolean {
    if (!this.#isOver) this.#way.send(ConnectResponse.encode(response).finish());
    return true;
  }

  receive(request: ConnectRequest): void {
    if (this.#isOver) return;
    if (this.#isPaused || this.#unread.length > 0) this.#unread.push(request);
    else super.emit("data", request);
  }

  pause(): this {
    this.#isPaused = true;
    return this;
  }

  resume(): this {
    this.#isPaused = false;
    setImmediate(() => {
      while (!this.#isPaused && !this.#isOver) {
        const request = this.#unread.shift();
        if (request === undefined) return;
        super.emit("data", request);
      }
    });
    return this;
  }

  end(): void {
    this.#isOver = true;
  }

  lose(how: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    super.emit(how);
  }
}

function unavailable(message: string): Partial<ServiceError> {
  return Object.assign(new Error(message), { code: status.UNAVAILABLE });
}
