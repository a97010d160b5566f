/** An agent played by a test: the real contract over real mutual TLS, with every step the test's own. */
import { readFileSync } from "node:fs";
import { connect as connectPlain, type Socket } from "node:net";
import { connect } from "node:tls";
import type {
  AttemptAck,
  AttemptRef,
  AttemptReport,
  StartAttempt,
} from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import {
  type ConnectRequest,
  type ConnectResponse,
  FleetServiceClient,
  Heartbeat,
  Hello,
  type PullTokenResponse,
  type Welcome,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type GpuReading, Inventory } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import { type Assignment, WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { type ClientDuplexStream, credentials, type ServiceError } from "@grpc/grpc-js";
import { FakeBulk } from "./fake-bulk.ts";
import { FakeHeartbeats } from "./fake-heartbeats.ts";

export interface CertificateFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

type Message = NonNullable<ConnectResponse["message"]>;
type Kind = Message["$case"];
type ValueOf<K extends Kind> = Extract<Message, { $case: K }>["value"];

const WITHIN_MS = 10_000;
const BEAT_MS = 1_000;
/** Sequence of the heartbeats that keep the link alive while the test does something else. */
const BACKGROUND = 0n;

/** A link of an agent. What arrives is queued, and `next` takes the oldest of a kind. */
export class FakeAgent {
  readonly nodeId: string;
  /** What it fetches and sends outside of the link. */
  readonly bulk: FakeBulk;
  /** Connects without gRPC, as for the bytes of an sshd. */
  readonly dial: (over: "plain" | "tls") => Socket;
  readonly #client: FleetServiceClient;
  readonly #stream: ClientDuplexStream<ConnectRequest, ConnectResponse>;
  readonly #inbox: Message[] = [];
  readonly #waiting = new Set<() => void>();
  #sequence = 0n;
  #beats: NodeJS.Timeout | undefined;
  #ended: ServiceError | null = null;
  /** Of the last welcome. */
  linkId = "";

  constructor(address: string, files: CertificateFiles, nodeId: string) {
    const tls = credentials.createSsl(readFileSync(files.ca), readFileSync(files.key), readFileSync(files.cert));
    this.nodeId = nodeId;
    this.dial = (over) => {
      const [host = "", number = ""] = address.split(":");
      const port = Number(number);
      const [ca, key, cert] = [files.ca, files.key, files.cert].map((path) => readFileSync(path));
      const socket = over === "plain" ? connectPlain({ host, port }) : connect({ host, port, ca, key, cert });
      return socket.on("error", () => undefined);
    };
    this.#client = new FleetServiceClient(address, tls, { "grpc.use_local_subchannel_pool": 1 });
    this.bulk = new FakeBulk(address, tls);
    this.#stream = this.#client.connect();
    this.#stream.on("data", ({ message }: ConnectResponse) => {
      const ownBeat = message?.$case === "heartbeatAck" && message.value.sequence === BACKGROUND;
      if (message !== undefined && !ownBeat) this.#inbox.push(message);
      this.#wake();
    });
    this.#stream.on("error", (error: ServiceError) => {
      clearInterval(this.#beats);
      this.#ended = error;
      this.#wake();
    });
  }

  send(message: ConnectRequest["message"]): void {
    this.#stream.write({ message });
  }

  /** Sends a hello and returns the welcome. */
  async hello(given: Partial<Hello> & { readonly slots?: number } = {}): Promise<Welcome> {
    const { slots = 4, ...rest } = given;
    const inventory = Inventory.fromPartial({
      hostname: "host",
      cpuCores: 4,
      memoryBytes: 2n ** 34n,
      slots,
      builtinProvers: ["echo"],
    });
    const value = Hello.fromPartial({
      nodeId: this.nodeId,
      protocolVersion: 1,
      agentVersion: "0.1.0",
      sessionId: "session-1",
    });
    this.send({ $case: "hello", value: { ...value, inventory, ...rest } });
    const welcome = await this.next("welcome");
    this.linkId = welcome.linkId;
    this.#beats = setInterval(
      () => this.send({ $case: "heartbeat", value: Heartbeat.fromPartial({ sequence: BACKGROUND }) }),
      BEAT_MS,
    ).unref();
    return welcome;
  }

  /** Of its thread, for its own link unless another one is given. */
  heartbeats({ linkId = this.linkId, loopSilentMs = 0 } = {}): FakeHeartbeats {
    return new FakeHeartbeats(this.#client, linkId, loopSilentMs);
  }

  /** The link breaks off; what goes over other streams stays. */
  breakLink(): void {
    this.freeze();
    this.#stream.cancel();
  }

  /** Falls silent without ending the stream. */
  freeze(): void {
    clearInterval(this.#beats);
  }

  /** Returns where coordinators are, if that is news. */
  async heartbeat(gpuReadings: GpuReading[] = [], shown: Partial<Heartbeat> = {}): Promise<readonly string[]> {
    this.#sequence++;
    const beat = Heartbeat.fromPartial({ sequence: this.#sequence, gpuReadings });
    this.send({ $case: "heartbeat", value: { ...beat, ...shown } });
    return (await this.next("heartbeatAck")).coordinatorAddresses;
  }

  /** The oldest message of the kind that was not taken yet; waits for it. */
  async next<K extends Kind>(kind: K): Promise<ValueOf<K>> {
    for (;;) {
      const at = this.#inbox.findIndex((message) => message.$case === kind);
      const [taken] = at < 0 ? [] : this.#inbox.splice(at, 1);
      if (taken !== undefined) return taken.value as ValueOf<K>;
      if (this.#ended !== null) throw this.#ended;
      await this.#changed(`a message of kind ${kind}`);
    }
  }

  /** What has come of that kind and was not taken. */
  untaken(kind: Message["$case"]): number {
    return this.#inbox.filter((message) => message.$case === kind).length;
  }

  /** Waits for an assignment set that has `count`, and reports each as ready. */
  async bringUp(count: number): Promise<readonly Assignment[]> {
    for (;;) {
      const { assignments } = await this.next("assignments");
      if (assignments.length !== count) continue;
      for (const { assignmentId } of assignments) this.reportWorkload(assignmentId, WorkloadPhase.WORKLOAD_PHASE_READY);
      return assignments;
    }
  }

  reportWorkload(assignmentId: string, phase: WorkloadPhase, reason?: string): void {
    const failure = reason === undefined ? undefined : { reason, message: reason, logTail: "" };
    this.send({ $case: "workloadReport", value: { assignmentId, phase, failure } });
  }

  /** The next attempt that it is sent to start. */
  async nextStart(): Promise<StartAttempt> {
    const [start] = await this.nextStarts(1);
    if (start === undefined) throw new Error("no attempt came");
    return start;
  }

  /** Waits until it was sent as many attempts as that. */
  async nextStarts(count: number): Promise<readonly StartAttempt[]> {
    const started: StartAttempt[] = [];
    while (started.length < count) started.push(...(await this.next("attemptCommands")).start);
    return started;
  }

  async nextCancel(): Promise<AttemptRef> {
    for (;;) {
      const { cancel } = await this.next("attemptCommands");
      const ref = cancel[0]?.attempt;
      if (ref !== undefined) return ref;
    }
  }

  /** Reports and returns the acknowledgement. */
  async report(attempt: AttemptRef | undefined, outcome: AttemptReport["outcome"]): Promise<AttemptAck> {
    this.send({ $case: "attemptReports", value: { reports: [{ attempt, outcome, waitMs: 1n, runMs: 5n }] } });
    const { acks } = await this.next("attemptAcks");
    const ack = acks[0];
    if (ack === undefined) throw new Error("an empty acknowledgement came");
    return ack;
  }

  async succeed(attempt: AttemptRef | undefined, result: string): Promise<AttemptAck> {
    const inline = { $case: "inlineResult" as const, value: Buffer.from(result) };
    return await this.report(attempt, { $case: "succeeded", value: { result: inline } });
  }

  async fail(attempt: AttemptRef | undefined, reason: string): Promise<AttemptAck> {
    return await this.report(attempt, { $case: "failed", value: { reason, message: `it was ${reason}`, logTail: "" } });
  }

  /** Rejects with the status. */
  pullToken(assignmentId: string): Promise<PullTokenResponse> {
    return new Promise((resolve, reject) => {
      this.#client.pullToken({ assignmentId }, (error: ServiceError | null, response) =>
        error === null ? resolve(response) : reject(error),
      );
    });
  }

  /** How the stream ended; waits for it. */
  async ended(): Promise<ServiceError> {
    while (this.#ended === null) await this.#changed("the end of the stream");
    return this.#ended;
  }

  /** Dies without a word. */
  close(): void {
    clearInterval(this.#beats);
    this.#stream.cancel();
    this.#client.close();
    this.bulk.close();
  }

  #changed(what: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.#waiting.delete(changed);
        reject(new Error(`agent ${this.nodeId} waited ${WITHIN_MS} ms for ${what}`));
      }, WITHIN_MS);
      const changed = () => {
        clearTimeout(late);
        resolve();
      };
      this.#waiting.add(changed);
    });
  }

  #wake(): void {
    for (const changed of [...this.#waiting]) {
      this.#waiting.delete(changed);
      changed();
    }
  }
}
