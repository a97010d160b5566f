/** What the links to agents count. */
import { Counter, Gauge, type Registry } from "prom-client";

type EnrollmentOutcome = "enrolled" | "again" | "denied" | "invalid" | "busy" | "throttled" | "failed";

export interface FleetMetrics {
  links(count: number): void;
  linkOpened(): void;
  linkClosed(cause: "ended" | "silent" | "superseded" | "refused" | "stopped"): void;
  /** An agent reported what is not its node's, or what cannot be read. */
  reportRefused(kind: "attempt" | "workload" | "build"): void;
  /** A message of an agent held more of these than agents send. */
  messageRefused(
    of: "attempts" | "workloads" | "gpus" | "reports" | "progresses" | "log_pieces" | "build_stages",
  ): void;
  /** An agent sent what no agent sends. */
  violated(of: string): void;
  enrollment(outcome: EnrollmentOutcome): void;
  /** A call, or a stream under way, of a caller that may not call at all. */
  callRefused(reason: "unnamed" | "expired" | "evicted" | "enrolled_anew" | "retired_root" | "unreadable"): void;
  /** An agent reported a task that the restored store does not know. */
  taskLost(): void;
  /** Bytes over the bulk channel. */
  inputFetched(bytes: number): void;
  volumeFetched(bytes: number): void;
  resultUploaded(bytes: number): void;
}

export function createFleetMetrics(registry: Registry): FleetMetrics {
  const registers = [registry];
  const links = new Gauge({ name: "elastic_links", help: "Agents linked to this coordinator.", registers });
  const opened = new Counter({ name: "elastic_links_opened_total", help: "Links opened by agents.", registers });
  const closed = new Counter({
    name: "elastic_links_closed_total",
    help: "Links that ended, by cause.",
    labelNames: ["cause"],
    registers,
  });
  const refused = new Counter({
    name: "elastic_reports_refused_total",
    help: "Reports of attempts and workloads that are not the reporting node's, or that cannot be read.",
    labelNames: ["kind"],
    registers,
  });
  const oversized = new Counter({
    name: "elastic_agent_messages_refused_total",
    help: "Messages of agents that held more entries than agents send, by what they held.",
    labelNames: ["of"],
    registers,
  });
  const violations = new Counter({
    name: "elastic_agent_violations_total",
    help: "What agents sent that no agent sends, by what it was. A node that repeats it is quarantined.",
    labelNames: ["of"],
    registers,
  });
  const enrollments = new Counter({
    name: "elastic_enrolments_total",
    help: "Requests of machines to be enrolled, by outcome.",
    labelNames: ["outcome"],
    registers,
  });
  const shutOut = new Counter({
    name: "elastic_agent_calls_refused_total",
    help: "Calls and streams of agents that may not call at all, by why.",
    labelNames: ["reason"],
    registers,
  });
  const lost = new Counter({
    name: "elastic_lost_tasks_total",
    help: "Tasks that agents ran before a restore and that the restored store does not know.",
    registers,
  });
  const fetched = new Counter({
    name: "elastic_inputs_fetched_bytes_total",
    help: "Input bytes streamed to agents.",
    registers,
  });
  const volumes = new Counter({
    name: "elastic_volumes_fetched_bytes_total",
    help: "Bytes of data volumes streamed to agents.",
    registers,
  });
  const uploaded = new Counter({
    name: "elastic_results_uploaded_bytes_total",
    help: "Result bytes streamed from agents.",
    registers,
  });
  return {
    links: (count) => links.set(count),
    linkOpened: () => opened.inc(),
    linkClosed: (cause) => closed.inc({ cause }),
    reportRefused: (kind) => refused.inc({ kind }),
    messageRefused: (of) => oversized.inc({ of }),
    violated: (of) => violations.inc({ of }),
    enrollment: (outcome) => enrollments.inc({ outcome }),
    callRefused: (reason) => shutOut.inc({ reason }),
    taskLost: () => lost.inc(),
    inputFetched: (bytes) => fetched.inc(bytes),
    volumeFetched: (bytes) => volumes.inc(bytes),
    resultUploaded: (bytes) => uploaded.inc(bytes),
  };
}
