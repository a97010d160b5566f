/** One stream to a coordinator from its hello to its end. */
import type {
  ConnectRequest,
  ConnectResponse,
  FleetServiceClient,
  Hello,
  Welcome,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { GpuReading } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Clock } from "@elastic/std/clock.ts";
import { type ClientDuplexStream, type ServiceError, status } from "@grpc/grpc-js";

type Stream = ClientDuplexStream<ConnectRequest, ConnectResponse>;

const WELCOME_TIMEOUT_MS = 10_000;
/** A link whose heartbeats are not acknowledged for so many intervals is abandoned. */
const SILENT_INTERVALS_MAX = 4;

export interface SessionEvents {
  onWelcome(welcome: Welcome): void;
  onMessage(message: NonNullable<ConnectResponse["message"]>): void;
  onAlive(sentAtMs: number): void;
  /** Coordinators came or went since the welcome. */
  onCoordinators(addresses: readonly string[]): void;
  /** The coordinator requests that the certificate be renewed before its time. */
  onRenewalWanted(): void;
  /** Called once. `takenOver`: by a newer link of the same node. */
  onEnd(why: string, takenOver: boolean): void;
}

/** Taken for each heartbeat. */
export type ReadGpus = () => GpuReading[];

export interface Session {
  readonly stream: Stream;
  /** Ends it without a further call. */
  readonly end: () => void;
}

export interface SessionOptions {
  readonly client: FleetServiceClient;
  readonly hello: Hello;
  readonly gpuReadings: ReadGpus;
  readonly clock: Clock;
}

export function openSession({ client, hello, gpuReadings, clock }: SessionOptions, events: SessionEvents): Session {
  const stream = client.connect();
  const awaited = new Map<bigint, number>([[0n, clock.monotonicMs()]]);
  let ended = false;
  let sequence = 0n;
  let acknowledged = { sequence: 0n, atMs: clock.monotonicMs() };
  let beat: NodeJS.Timeout | null = null;
  const patience = setTimeout(() => finish("it accepted the connection and sent no welcome"), WELCOME_TIMEOUT_MS);

  const close = (): void => {
    ended = true;
    clearTimeout(patience);
    if (beat !== null) clearInterval(beat);
    stream.cancel();
    client.close();
  };
  const finish = (why: string, takenOver = false): void => {
    if (ended) return;
    close();
    events.onEnd(why, takenOver);
  };
  const alive = (echoed: bigint): void => {
    const sentAtMs = awaited.get(echoed);
    if (sentAtMs === undefined) return;
    for (const earlier of awaited.keys()) if (earlier <= echoed) awaited.delete(earlier);
    acknowledged = { sequence: echoed, atMs: clock.monotonicMs() };
    events.onAlive(sentAtMs);
  };
  const heartbeat = (): void => {
    if (awaited.size >= SILENT_INTERVALS_MAX) {
      finish("it did not acknowledge heartbeats");
      return;
    }
    sequence += 1n;
    const nowMs = clock.monotonicMs();
    awaited.set(sequence, nowMs);
    const value = {
      sequence,
      gpuReadings: gpuReadings(),
      wallUnixMs: BigInt(Math.round(clock.now())),
      acknowledgedSequence: acknowledged.sequence,
      acknowledgedMsAgo: Math.floor(nowMs - acknowledged.atMs),
    };
    stream.write({ message: { $case: "heartbeat", value } });
  };

  stream.on("data", ({ message }: ConnectResponse) => {
    if (ended || message === undefined) return;
    if (message.$case === "welcome") {
      clearTimeout(patience);
      alive(0n);
      beat ??= setInterval(heartbeat, Math.max(50, message.value.heartbeatIntervalMs));
      events.onWelcome(message.value);
    } else if (message.$case === "heartbeatAck") {
      alive(message.value.sequence);
      if (message.value.coordinatorAddresses.length > 0) events.onCoordinators(message.value.coordinatorAddresses);
      if (message.value.renewCertificate === true) events.onRenewalWanted();
    } else events.onMessage(message);
  });
  stream.on("error", (error: Partial<ServiceError>) =>
    finish(error.message ?? "it broke off", error.code === status.ABORTED),
  );
  stream.on("end", () => finish("it ended the stream"));
  stream.write({ message: { $case: "hello", value: hello } });
  return { stream, end: close };
}
