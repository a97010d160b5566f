/**
 * One stream of one agent: hello, welcome, then heartbeats and reports one way, assignments, commands and
 * acknowledgements the other, until it ends or its certificate does.
 */

import { isDeepStrictEqual } from "node:util";
import type { AttemptRef } from "@elastic/proto/gen/elastic/fleet/v1/attempt.ts";
import type { BuildReport } from "@elastic/proto/gen/elastic/fleet/v1/build.ts";
import type { ConnectRequest, Heartbeat, Hello } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import type { NodeReport } from "@elastic/proto/gen/elastic/fleet/v1/node.ts";
import type { WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { status } from "@grpc/grpc-js";
import { FENCE_AFTER_MS } from "../domain/link-liveness.ts";
import type { NodeTrust } from "../domain/node.ts";
import type { AuthoritySource } from "../enrollment/authority.ts";
import type { FleetContext } from "./fleet-context.ts";
import { checkHello, directAttempts, writeNode } from "./greet.ts";
import { Intake } from "./intake.ts";
import { agentLimits, HEARTBEAT_INTERVAL_MS, HELLO_WITHIN_MS, reconnectSpreadMs } from "./limits.ts";
import { Link, type LinkCall } from "./link.ts";
import { identityOf, type NodeIdentity } from "./node-identity.ts";
import { type LostFrom, noteLostTasks } from "./note-lost-tasks.ts";
import { refuseOversized } from "./oversized.ts";
import { readGpuReadings } from "./read-gpu-readings.ts";
import { readNodeClock } from "./read-node-clock.ts";
import { receiveBuildReport } from "./receive-build-report.ts";
import { receiveDrainOrder } from "./receive-drain-order.ts";
import { receiveGpuHealth } from "./receive-gpu-health.ts";
import { receiveProgress } from "./receive-progress.ts";
import { ReportReceiver } from "./receive-reports.ts";
import { forgetWorkloads, receiveWorkloadReport } from "./receive-workload-report.ts";
import {
  CERTIFICATE_ENDED,
  DECLARED_LOST,
  NO_NODE_IDENTITY,
  Refusal,
  refusalOf,
  STOPPED,
  Violation,
} from "./refusal.ts";
import { isRenewalWanted, trustOf } from "./renewal-wanted.ts";

/** Of a node whose agent links over and over. */
const LINK_LINES = { aMinute: 10 };

/** The longest time of setTimeout. */
const TIMEOUT_MS_MAX = 2 ** 31 - 1;

export interface ConnectContext extends FleetContext {
  readonly coordinatorId: string;
  readonly addresses: () => readonly string[];
  /** Null where certificates come from elsewhere. */
  readonly authority: AuthoritySource | null;
  /** Of one attempt's log, sent to agents. */
  readonly logBytesMax: number;
  /** The link is open: send it what it shall run. */
  readonly opened: (link: Link) => void;
  /** Send it whether its node accepts work, and why an order of its machine was refused, if it was. */
  readonly sendState: (link: Link, orderRefused: string | null) => void;
}

export function handleConnect(context: ConnectContext, call: LinkCall): void {
  const identity = identityOf(call);
  if (identity === null) {
    context.metrics.fleet.linkClosed("refused");
    call.emit("error", NO_NODE_IDENTITY);
    return;
  }
  new Connection(context, call, identity).start();
}

class Connection {
  readonly #context: ConnectContext;
  readonly #call: LinkCall;
  readonly #identity: NodeIdentity;
  readonly #intake: Intake;
  #link: Link | null = null;
  #reports: ReportReceiver | null = null;
  /** Workload reports are taken one after the other, since the later one holds. */
  #workloadReports: Promise<void> = Promise.resolve();
  /** Reports of builds likewise. */
  #buildReports: Promise<void> = Promise.resolve();
  /** Reports of the node itself likewise. */
  #nodeReports: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #greeting = false;
  #ended = false;
  /** Where coordinators are, as sent to the agent last. */
  #sentAddresses: readonly string[] = [];
  /** As of the hello. */
  #trust: NodeTrust | null = null;

  constructor(context: ConnectContext, call: LinkCall, identity: NodeIdentity) {
    this.#context = context;
    this.#call = call;
    this.#intake = new Intake({ pause: () => this.#holdBack(true), resume: () => this.#holdBack(false) });
    this.#identity = identity;
  }

  start(): void {
    const call = this.#call;
    this.#timer = setTimeout(() => this.#refuse(NO_HELLO), HELLO_WITHIN_MS);
    call.on("data", (request: ConnectRequest) => this.#receive(request));
    call.on("end", () => this.#over("ended"));
    call.on("cancelled", () => this.#over("ended"));
    call.on("close", () => this.#over("ended"));
    call.on("error", (error) => this.#over(error instanceof Refusal ? causeOf(error) : "ended"));
  }

  #receive({ message }: ConnectRequest): void {
    if (this.#ended) return;
    const oversized = refuseOversized(this.#context, message);
    if (oversized !== null) {
      this.#refuse(oversized);
      return;
    }
    const link = this.#link;
    if (link === null) {
      if (message?.$case !== "hello" || this.#greeting) this.#refuse(HELLO_FIRST);
      else void this.#greet(message.value);
      return;
    }
    link.lastSeenMs = this.#context.clock.monotonicMs();
    switch (message?.$case) {
      case "heartbeat":
        this.#takeHeartbeat(link, message.value);
        break;
      case "attemptReports":
        this.#reports?.take(message.value.reports);
        break;
      case "workloadReport":
        this.#takeWorkloadReport(message.value);
        break;
      case "nodeReport":
        this.#takeNodeReport(message.value);
        break;
      case "buildReport":
        this.#takeBuildReport(message.value);
        break;
      case "endedAttempts":
        this.#takeEnded(message.value.attempts);
        break;
      case "attemptProgress":
        receiveProgress(this.#context, this.#identity.nodeId, message.value.progresses);
        break;
      case "hello":
        this.#refuse(HELLO_ONCE);
        break;
      default:
        // Of a later version.
        this.#refuse(UNKNOWN_MESSAGE);
    }
  }

  #takeHeartbeat(link: Link, heartbeat: Heartbeat): void {
    const { clock, clocks, violations } = this.#context;
    if (heartbeat.acknowledgedSequence > link.lastSequence) {
      violations.note(link.nodeId, "acknowledgement", "it acknowledged what was not sent to it");
    }
    link.gpuReadings = readGpuReadings(heartbeat.gpuReadings);
    const reading = readNodeClock(heartbeat, link.acknowledged, clock.monotonicMs());
    if (reading !== null) clocks.noteNode(link.nodeId, reading);
    const { sequence } = heartbeat;
    link.acknowledged = { sequence, sentMs: clock.monotonicMs() };
    if (sequence > link.lastSequence) link.lastSequence = sequence;
    link.send({
      $case: "heartbeatAck",
      value: {
        sequence,
        coordinatorAddresses: [...this.#newAddresses()],
        ...(this.#wantsRenewal() ? { renewCertificate: true } : {}),
      },
    });
  }

  async #greet(hello: Hello): Promise<void> {
    this.#greeting = true;
    // What comes after the hello is read once the welcome is sent.
    this.#call.pause();
    try {
      checkHello(hello, this.#identity);
      await this.#welcome(hello);
    } catch (error) {
      this.#refuse(refusalOf(error));
      if (!(error instanceof Refusal)) {
        this.#context.log.warn({ err: error, nodeId: this.#identity.nodeId }, "a hello could not be processed");
      }
    } finally {
      this.#call.resume();
    }
  }

  async #welcome(hello: Hello): Promise<void> {
    const context = this.#context;
    const { nodeId } = this.#identity;
    await writeNode(context, this.#identity, hello);
    const { directives, current } = await directAttempts(context, nodeId, hello.attempts);
    await Promise.all(hello.workloads.map((report) => receiveWorkloadReport(context, nodeId, report)));
    // What a hello leaves out is gone only while it is the newest: an agent that ended its stream may be linked again since.
    if (this.#ended) return;
    await forgetWorkloads(context, nodeId, hello.workloads);
    if (this.#ended) return;

    this.#trust = trustOf(this.#identity, hello.trustedRoots);
    const of = { identity: this.#identity, sessionId: hello.sessionId };
    const link = new Link(this.#call, of, context.clock.monotonicMs());
    for (const key of current) link.known.add(key);
    this.#link = link;
    this.#reports = new ReportReceiver(context, link, this.#intake);
    this.#sentAddresses = context.addresses();
    link.acknowledged = { sequence: 0n, sentMs: context.clock.monotonicMs() };
    link.send({
      $case: "welcome",
      value: {
        coordinatorId: context.coordinatorId,
        coordinatorAddresses: [...this.#sentAddresses],
        heartbeatIntervalMs: HEARTBEAT_INTERVAL_MS,
        fenceAfterMs: FENCE_AFTER_MS,
        directives,
        limits: agentLimits(context.logBytesMax),
        // Without the archive it cannot know which tasks are lost.
        storeEpoch: context.archive === null ? 0n : BigInt(context.store.epoch),
        linkId: link.id,
        reconnectSpreadMs: reconnectSpreadMs(this.#fleetSize()),
      },
    });
    this.#intake.take(hello.attempts.length, this.#noteLost(hello.attempts, "open"));
    this.#endWithCertificate();
    if (this.#ended) return;
    const unlogged = context.bounds.lines.next(nodeId, "linked", LINK_LINES);
    if (unlogged !== null) {
      const attempts = { attempts: hello.attempts.length, current: current.length };
      context.log.info({ nodeId, ...attempts, unlogged }, "an agent linked");
    }
    context.links.open(link);
    context.metrics.fleet.linkOpened();
    context.metrics.fleet.links(context.links.size);
    context.opened(link);
  }

  /** Nodes that may have a link here. */
  #fleetSize(): number {
    let nodes = 0;
    for (const { value } of this.#context.store.view.nodes.values()) {
      if (value.state === "ready" || value.state === "draining") nodes += 1;
    }
    return nodes;
  }

  #holdBack(isHeldBack: boolean): void {
    if (isHeldBack) this.#call.pause();
    else this.#call.resume();
    if (this.#link !== null) this.#link.isHeldBack = isHeldBack;
  }

  #wantsRenewal(): boolean {
    const { authority } = this.#context;
    return authority !== null && isRenewalWanted(authority.current(), this.#trust);
  }

  /** Empty while they are as the agent knows them. */
  #newAddresses(): readonly string[] {
    const now = this.#context.addresses();
    if (isDeepStrictEqual(now, this.#sentAddresses)) return [];
    this.#sentAddresses = now;
    return now;
  }

  #takeWorkloadReport(report: WorkloadReport): void {
    const { log } = this.#context;
    const { nodeId } = this.#identity;
    this.#workloadReports = this.#workloadReports
      .then(() => receiveWorkloadReport(this.#context, nodeId, report))
      .catch((error: unknown) => {
        // The agent says everything again in its next hello, so let it say one.
        log.warn({ err: error, nodeId }, "a workload report could not be stored");
        this.#refuse(refusalOf(error));
      });
    this.#intake.take(1, this.#workloadReports);
  }

  #takeBuildReport(report: BuildReport): void {
    const { log } = this.#context;
    const { nodeId } = this.#identity;
    this.#buildReports = this.#buildReports
      .then(() => receiveBuildReport(this.#context, nodeId, report))
      .catch((error: unknown) => {
        // The agent reports every build again on its next link.
        log.warn({ err: error, nodeId }, "a build's report could not be stored");
        this.#refuse(refusalOf(error));
      });
    this.#intake.take(1, this.#buildReports);
  }

  #takeEnded(attempts: readonly AttemptRef[]): void {
    const noted = this.#noteLost(attempts, "ended").then((isNoted) => {
      // What is not acknowledged is reported again on the next link.
      if (isNoted) this.#link?.send({ $case: "endedAttemptsAck", value: { attempts: [...attempts] } });
    });
    this.#intake.take(attempts.length, noted);
  }

  async #noteLost(attempts: readonly AttemptRef[], from: LostFrom): Promise<boolean> {
    const { nodeId } = this.#identity;
    try {
      await noteLostTasks(this.#context, nodeId, attempts, from);
      return true;
    } catch (error) {
      this.#context.log.warn({ err: error, nodeId }, "tasks that this store may not know could not be noted yet");
      return false;
    }
  }

  #takeNodeReport(report: NodeReport): void {
    const { log } = this.#context;
    const { nodeId } = this.#identity;
    this.#nodeReports = this.#nodeReports
      .then(() => receiveGpuHealth(this.#context, nodeId, report.gpus))
      .then(() => this.#takeDrainOrder(report))
      .catch((error: unknown) => {
        log.warn({ err: error, nodeId }, "a node's report could not be stored");
        this.#refuse(refusalOf(error));
      });
    this.#intake.take(report.gpus.length, this.#nodeReports);
  }

  async #takeDrainOrder({ drainWanted: drain, stopShells, spot }: NodeReport): Promise<void> {
    if (drain === undefined) return;
    const refused = await receiveDrainOrder(this.#context, this.#identity.nodeId, {
      drain,
      stopShells: stopShells || spot,
      spot,
    });
    // Its response, also where that changed nothing.
    if (this.#link !== null) this.#context.sendState(this.#link, refused);
  }

  /** Re-armed, since a timer is shorter than a certificate may be. */
  #endWithCertificate(): void {
    clearTimeout(this.#timer);
    const leftMs = this.#identity.notAfter - this.#context.clock.now();
    if (leftMs <= 0) this.#refuse(CERTIFICATE_ENDED);
    else this.#timer = setTimeout(() => this.#endWithCertificate(), Math.min(leftMs, TIMEOUT_MS_MAX));
  }

  #refuse(refusal: Refusal): void {
    if (this.#ended) return;
    this.#context.violations.noteError(this.#identity.nodeId, refusal);
    if (this.#link === null) this.#call.emit("error", refusal);
    else this.#link.end(refusal);
  }

  #over(cause: "ended" | ReturnType<typeof causeOf>): void {
    if (this.#ended) return;
    this.#ended = true;
    clearTimeout(this.#timer);
    const { links, bounds, metrics, log } = this.#context;
    metrics.fleet.linkClosed(cause);
    if (this.#link === null) return;
    this.#link.markEnded();
    links.close(this.#link);
    metrics.fleet.links(links.size);
    const { nodeId } = this.#identity;
    const unlogged = bounds.lines.next(nodeId, "ended", LINK_LINES);
    if (unlogged !== null) log.info({ nodeId, cause, unlogged }, "a link ended");
    this.#call.end();
  }
}

const NO_HELLO = new Refusal(status.DEADLINE_EXCEEDED, "no hello came");
const HELLO_FIRST = new Violation("message", status.INVALID_ARGUMENT, "the first message is a hello");
const HELLO_ONCE = new Violation("message", status.INVALID_ARGUMENT, "a hello comes once, and first");
const UNKNOWN_MESSAGE = new Refusal(
  status.INVALID_ARGUMENT,
  "this coordinator does not know such a message: upgrade coordinators before agents",
);

function causeOf(refusal: Refusal): "superseded" | "stopped" | "silent" | "refused" {
  if (refusal === STOPPED) return "stopped";
  if (refusal === DECLARED_LOST) return "silent";
  return refusal.code === status.ABORTED ? "superseded" : "refused";
}
