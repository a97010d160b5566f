/**
 * A coordinator that a test plays: a real gRPC server over mutual TLS that remembers what agents tell it and says
 * what the test makes it say.
 */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { AttemptRef, AttemptReport, StartAttempt } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { AttemptVerdict } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import {
  BulkServiceService,
  type ConnectRequest,
  type ConnectResponse,
  FleetServiceService,
  type Hello,
  type UploadResultRequest,
  type Welcome,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { Assignment, WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import {
  type handleBidiStreamingCall,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from "@grpc/grpc-js";
import type { TlsFiles } from "../link/channel.ts";
import { eventually } from "./eventually.ts";

type Stream = ServerDuplexStream<ConnectRequest, ConnectResponse>;

export interface CoordinatorScript {
  readonly coordinatorId?: string;
  readonly welcome?: (hello: Hello) => Partial<Welcome>;
  /** False: heartbeats are heard and not answered. */
  readonly answersHeartbeats?: boolean;
  /** False: reports are heard and not acknowledged. */
  acknowledges?: boolean;
  /** Inputs for FetchInput, by task id. */
  readonly inputs?: ReadonlyMap<string, Buffer>;
  /** FetchInput breaks off after so many bytes, once. */
  breakInputAfterBytes?: number;
  /** A fixed port, to come back at the same address. */
  readonly port?: number;
  /** Other addresses that its welcomes list. */
  readonly otherAddresses?: readonly string[];
}

export interface ScriptedCoordinator {
  readonly address: string;
  readonly hellos: Hello[];
  readonly reports: AttemptReport[];
  readonly workloads: WorkloadReport[];
  readonly uploads: Map<string, Buffer>;
  script: CoordinatorScript;
  assign(assignments: Assignment[], epoch?: bigint, generation?: bigint): void;
  start(starts: StartAttempt[], epoch?: bigint): void;
  cancel(attempt: AttemptRef, epoch?: bigint): void;
  onReports: (reports: readonly AttemptReport[]) => void;
  /** The first report of a task, when it is there. */
  report(taskId: string): Promise<AttemptReport>;
  linked(): Promise<Hello>;
  workload(assignmentId: string, phase: number): Promise<WorkloadReport>;
  /** Drops every stream and stops listening, without a word. */
  kill(): void;
}

export async function scriptCoordinator(tls: TlsFiles, first: CoordinatorScript = {}): Promise<ScriptedCoordinator> {
  const server = new Server({ "grpc.max_receive_message_length": 64 * 1024 * 1024 });
  const streams = new Set<Stream>();
  let generation = 0n;

  const send = (message: NonNullable<ConnectResponse["message"]>): void => {
    for (const stream of streams) stream.write({ message });
  };

  const connect: handleBidiStreamingCall<ConnectRequest, ConnectResponse> = (stream) => {
    streams.add(stream);
    const gone = (): void => void streams.delete(stream);
    stream.on("end", gone).on("error", gone).on("cancelled", gone);
    stream.on("data", ({ message }: ConnectRequest) => {
      if (message?.$case === "hello") {
        coordinator.hellos.push(message.value);
        // The newer link of a node takes over.
        for (const other of streams) {
          if (other !== stream) other.emit("error", { code: status.ABORTED, details: "a newer link has taken over" });
        }
        stream.write({ message: { $case: "welcome", value: welcomeOf(message.value) } });
      } else if (message?.$case === "heartbeat" && coordinator.script.answersHeartbeats !== false) {
        stream.write({ message: { $case: "heartbeatAck", value: { sequence: message.value.sequence } } });
      } else if (message?.$case === "workloadReport") coordinator.workloads.push(message.value);
      else if (message?.$case === "attemptReports") {
        const { reports } = message.value;
        coordinator.reports.push(...reports);
        if (coordinator.script.acknowledges !== false) {
          const verdict = AttemptVerdict.ATTEMPT_VERDICT_COMMITTED;
          const acks = reports.map(({ attempt }) => ({ attempt, verdict }));
          stream.write({ message: { $case: "attemptAcks", value: { acks } } });
        }
        coordinator.onReports(reports);
      }
    });
  };

  const welcomeOf = (hello: Hello): Welcome => ({
    coordinatorId: coordinator.script.coordinatorId ?? "c1",
    coordinatorAddresses: [coordinator.address, ...(coordinator.script.otherAddresses ?? [])],
    heartbeatIntervalMs: 100,
    fenceAfterMs: 10_000,
    directives: [],
    limits: {
      inlineResultBytesMax: 4096,
      resultBytesMax: 8n * 1024n * 1024n,
      chunkBytesMax: 262144,
      logTailBytesMax: 4096,
      logBytesMax: 0n,
    },
    ...coordinator.script.welcome?.(hello),
  });

  const fetchInput: handleServerStreamingCall<{ attempt: AttemptRef | undefined; offset: bigint }, { data: Buffer }> = (
    call,
  ) => {
    const input = coordinator.script.inputs?.get(call.request.attempt?.taskId ?? "");
    if (input === undefined) {
      call.emit("error", { code: status.NOT_FOUND, details: "no such input" });
      return;
    }
    const from = Number(call.request.offset);
    const breakAfter = coordinator.script.breakInputAfterBytes;
    if (breakAfter !== undefined) {
      delete coordinator.script.breakInputAfterBytes;
      call.write({ data: input.subarray(from, from + breakAfter) });
      call.emit("error", { code: status.UNAVAILABLE, details: "broken off" });
      return;
    }
    for (let at = from; at < input.length; at += 65536) call.write({ data: input.subarray(at, at + 65536) });
    call.end();
  };

  const uploadResult: handleClientStreamingCall<UploadResultRequest, Record<string, never>> = (call, done) => {
    const chunks: Buffer[] = [];
    let taskId = "";
    let sha256 = "";
    call.on("data", ({ message }: UploadResultRequest) => {
      if (message?.$case === "data") chunks.push(message.value);
      else {
        taskId = message?.value.attempt?.taskId ?? "";
        sha256 = message?.value.sha256 ?? "";
      }
    });
    call.on("end", () => {
      const bytes = Buffer.concat(chunks);
      const matches = createHash("sha256").update(bytes).digest("hex") === sha256;
      if (matches) coordinator.uploads.set(taskId, bytes);
      done(matches ? null : { code: status.DATA_LOSS, details: "the digest does not match" }, {});
    });
  };

  server.addService(FleetServiceService, { connect });
  server.addService(BulkServiceService, { fetchInput, uploadResult });
  const pair = { cert_chain: readFileSync(tls.certFile), private_key: readFileSync(tls.keyFile) };
  const credentials = ServerCredentials.createSsl(readFileSync(tls.caFile), [pair], true);
  const port = await new Promise<number>((resolve, reject) => {
    const wanted = `127.0.0.1:${first.port ?? 0}`;
    server.bindAsync(wanted, credentials, (error, bound) => (error === null ? resolve(bound) : reject(error)));
  });

  const coordinator: ScriptedCoordinator = {
    address: `127.0.0.1:${port}`,
    hellos: [],
    reports: [],
    workloads: [],
    uploads: new Map(),
    script: first,
    onReports: () => undefined,
    assign: (assignments, epoch = 1n, set) => {
      generation = set ?? generation + 1n;
      send({ $case: "assignments", value: { leaderEpoch: epoch, generation, assignments } });
    },
    start: (start, epoch = 1n) => send({ $case: "attemptCommands", value: { leaderEpoch: epoch, start, cancel: [] } }),
    cancel: (attempt, epoch = 1n) =>
      send({ $case: "attemptCommands", value: { leaderEpoch: epoch, start: [], cancel: [{ attempt }] } }),
    report: (taskId) =>
      eventually(`report of ${taskId}`, () => coordinator.reports.find(({ attempt }) => attempt?.taskId === taskId)),
    linked: () => eventually("a hello", () => (streams.size > 0 ? coordinator.hellos.at(-1) : undefined)),
    workload: (assignmentId, phase) =>
      eventually(`workload ${assignmentId} in phase ${phase}`, () =>
        coordinator.workloads.find((report) => report.assignmentId === assignmentId && report.phase === phase),
      ),
    kill: () => server.forceShutdown(),
  };
  return coordinator;
}
