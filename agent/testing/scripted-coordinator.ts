/**
 * A coordinator that a test plays: a real gRPC server over mutual TLS that remembers what agents report and says
 * what the test makes it say.
 */
import { readFileSync } from "node:fs";
import type {
  AttemptProgress,
  AttemptRef,
  AttemptReport,
  StartAttempt,
} from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import { AttemptVerdict } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import {
  BulkServiceService,
  type ConnectRequest,
  type ConnectResponse,
  type FleetServiceServer,
  FleetServiceService,
  type Hello,
  type Welcome,
} from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type GpuReading, type NodeReport, NodeState } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { Assignment, WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import {
  type handleBidiStreamingCall,
  Server,
  ServerCredentials,
  type ServerDuplexStream,
  status,
} from "@grpc/grpc-js";
import type { TlsFiles } from "../domain/tls-files.ts";
import { eventually } from "./eventually.ts";
import { type ScriptedLog, scriptBulk } from "./scripted-bulk.ts";

type Stream = ServerDuplexStream<ConnectRequest, ConnectResponse>;

export interface CoordinatorScript {
  readonly coordinatorId?: string;
  readonly welcome?: (hello: Hello) => Partial<Welcome>;
  /** False: heartbeats are received and not acknowledged. */
  readonly acknowledgesHeartbeats?: boolean;
  /** False: reports are received and not acknowledged. */
  acknowledges?: boolean;
  /** Inputs for FetchInput, by task id. */
  readonly inputs?: ReadonlyMap<string, Buffer>;
  /** FetchInput breaks off after so many bytes, once. */
  breakInputAfterBytes?: number;
  /** Of one attempt's log, as its welcomes say; 0, and so no logs, unless given. */
  logBytesMax?: number;
  /** False: logs are received and neither stored nor acknowledged. */
  takesLogs?: boolean;
  /** The stream of logs breaks off after so many messages, each time. */
  breakLogsAfter?: number;
  /** A fixed port, to come back at the same address. */
  readonly port?: number;
  /** Other addresses that its welcomes list. */
  readonly otherAddresses?: readonly string[];
  /** Of the call of the agent's thread; left out for a coordinator that does not have it. */
  readonly heartbeats?: FleetServiceServer["heartbeats"];
  /** Addresses that its acknowledgements of heartbeats list. */
  newAddresses?: readonly string[];
}

export interface ScriptedCoordinator {
  readonly address: string;
  readonly hellos: Hello[];
  readonly reports: AttemptReport[];
  readonly workloads: WorkloadReport[];
  /** What was reported of the node itself. */
  readonly nodes: NodeReport[];
  /** Of the last heartbeat. */
  gpuReadings: readonly GpuReading[];
  /** Attempts of earlier store epochs that had ended. */
  readonly ended: AttemptRef[];
  readonly uploads: Map<string, Buffer>;
  /** By task id. Kept over what the test does to its streams. */
  readonly logs: Map<string, ScriptedLog>;
  /** The progress of an attempt that was reported last, by task id. */
  readonly progress: Map<string, AttemptProgress>;
  script: CoordinatorScript;
  assign(assignments: Assignment[], epoch?: bigint, generation?: bigint): void;
  start(starts: StartAttempt[], epoch?: bigint): void;
  cancel(attempt: AttemptRef, epoch?: bigint): void;
  /** Says whether the node takes work. */
  sendNodeState(state: Partial<NodeState>): void;
  onReports: (reports: readonly AttemptReport[]) => void;
  /** The first report of a task, when it is there. */
  report(taskId: string): Promise<AttemptReport>;
  /** Breaks the streams that logs come over. */
  breakLogs(): void;
  /** The log of a task, once it is complete. */
  log(taskId: string): Promise<string>;
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
      } else if (message?.$case === "heartbeat" && coordinator.script.acknowledgesHeartbeats !== false) {
        const { sequence, gpuReadings } = message.value;
        coordinator.gpuReadings = gpuReadings;
        const coordinatorAddresses = [...(coordinator.script.newAddresses ?? [])];
        stream.write({ message: { $case: "heartbeatAck", value: { sequence, coordinatorAddresses } } });
      } else if (message?.$case === "workloadReport") coordinator.workloads.push(message.value);
      else if (message?.$case === "nodeReport") coordinator.nodes.push(message.value);
      else if (message?.$case === "endedAttempts") {
        coordinator.ended.push(...message.value.attempts);
        stream.write({ message: { $case: "endedAttemptsAck", value: message.value } });
      } else if (message?.$case === "attemptProgress") {
        for (const reported of message.value.progresses)
          coordinator.progress.set(reported.attempt?.taskId ?? "", reported);
      } else if (message?.$case === "attemptReports") {
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
    storeEpoch: 1n,
    linkId: coordinator.script.heartbeats === undefined ? "" : `link-${coordinator.hellos.length}`,
    limits: {
      inlineResultBytesMax: 4096,
      resultBytesMax: 8n * 1024n * 1024n,
      chunkBytesMax: 262144,
      logTailBytesMax: 4096,
      logBytesMax: BigInt(coordinator.script.logBytesMax ?? 0),
    },
    ...coordinator.script.welcome?.(hello),
  });

  server.addService(FleetServiceService, { connect, ...(first.heartbeats && { heartbeats: first.heartbeats }) });
  const bulk = scriptBulk(() => coordinator);
  server.addService(BulkServiceService, bulk.service);
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
    nodes: [],
    ended: [],
    gpuReadings: [],
    uploads: new Map(),
    logs: new Map(),
    progress: new Map(),
    script: first,
    sendNodeState: (state) => send({ $case: "nodeState", value: NodeState.fromPartial(state) }),
    onReports: () => undefined,
    assign: (assignments, epoch = 1n, set) => {
      generation = set ?? generation + 1n;
      send({ $case: "assignments", value: { storeEpoch: 1n, leaderEpoch: epoch, generation, assignments } });
    },
    start: (start, epoch = 1n) =>
      send({ $case: "attemptCommands", value: { storeEpoch: 1n, leaderEpoch: epoch, start, cancel: [] } }),
    cancel: (attempt, epoch = 1n) =>
      send({
        $case: "attemptCommands",
        value: { storeEpoch: 1n, leaderEpoch: epoch, start: [], cancel: [{ attempt }] },
      }),
    report: (taskId) =>
      eventually(`report of ${taskId}`, () => coordinator.reports.find(({ attempt }) => attempt?.taskId === taskId)),
    breakLogs: bulk.breakLogs,
    log: (taskId) =>
      eventually(`log of ${taskId}`, () => {
        const log = coordinator.logs.get(taskId);
        return log?.complete ? log.text : undefined;
      }),
    linked: () => eventually("a hello", () => (streams.size > 0 ? coordinator.hellos.at(-1) : undefined)),
    workload: (assignmentId, phase) =>
      eventually(`workload ${assignmentId} in phase ${phase}`, () =>
        coordinator.workloads.find((report) => report.assignmentId === assignmentId && report.phase === phase),
      ),
    kill: () => server.forceShutdown(),
  };
  return coordinator;
}
