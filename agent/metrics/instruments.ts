/** What the agent measures. Labels are closed lists: no ids, no names of tenants. */
import { AGENT_FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { addBuildInfo } from "@elastic/std/metrics/build-info.ts";
import { addEventLoopDelay } from "@elastic/std/metrics/event-loop-delay.ts";
import { addSpanMetrics } from "@elastic/std/metrics/span-metrics.ts";
import type { SpanCounts } from "@elastic/std/tracing/span-queue.ts";
import { Counter, Gauge, Histogram, Registry } from "prom-client";
import type { EndedAttempt } from "../attempts/run-attempt.ts";
import { AGENT_VERSION } from "../domain/agent-version.ts";
import type { StartStage } from "../domain/start-stages.ts";

/** Read when somebody looks. */
export interface AgentGauges {
  readonly workloadPhases: () => readonly string[];
  readonly attemptsRunning: () => number;
  readonly outcomesPending: () => number;
  readonly outcomesSpooled: () => number;
  readonly logBytesWaiting: () => number;
  readonly volumeBytes: () => number;
  readonly disksUnderPressure: () => number;
  readonly linksUp: () => number;
  readonly gpus: () => number;
  readonly engines: () => number;
  /** Not a number where they cannot be read. */
  readonly egressPolicies: () => number;
  /** Milliseconds since 1970. */
  readonly certificateValidity: () => { readonly fromMs: number; readonly toMs: number };
}

export interface Instruments {
  readonly registry: Registry;
  readonly spans: SpanCounts;
  onAttemptEnded(ended: EndedAttempt): void;
  onFenced(): void;
  /** A workload came up, after so long in each stage that it went through. */
  onStarted(stagesMs: ReadonlyMap<StartStage, number>): void;
  onLogSent(bytes: number): void;
  onLogDropped(bytes: number): void;
}

const PHASES = ["pulling", "starting", "ready", "failed", "stopped"];
/** From a no-op to a proof of half an hour. */
const SECONDS_BUCKETS = [0.001, 0.005, 0.02, 0.1, 0.5, 1, 5, 15, 60, 300, 1_800];

/** From an image that is here to one of many gigabytes. */
const START_BUCKETS = [0.1, 0.5, 2, 10, 60, 300, 1_800];

export function createInstruments(gauges: AgentGauges): Instruments {
  const registry = new Registry();
  const registers = [registry];
  addBuildInfo(registry, AGENT_VERSION);
  addEventLoopDelay(registry);
  const attempts = new Counter({
    name: "elastic_agent_attempts_total",
    help: "Attempts that ended, by outcome",
    labelNames: ["outcome"],
    registers,
  });
  // An alert that looks for growth would not see the first of a kind.
  for (const outcome of ["succeeded", "cancelled", ...AGENT_FAILURE_REASONS]) attempts.inc({ outcome }, 0);
  const runSeconds = new Histogram({
    name: "elastic_agent_attempt_run_seconds",
    help: "Time the prover took",
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const waitSeconds = new Histogram({
    name: "elastic_agent_attempt_wait_seconds",
    help: "Time from the order to the call of the prover",
    buckets: SECONDS_BUCKETS,
    registers,
  });
  const startSeconds = new Histogram({
    name: "elastic_agent_cold_start_seconds",
    help: "Time of workloads that came up, by stage: pull (the image), unpack (its layers), fetch (a data volume), start (the container or process), ready (until it is healthy)",
    labelNames: ["stage"],
    buckets: START_BUCKETS,
    registers,
  });
  const fences = new Counter({
    name: "elastic_agent_fences_total",
    help: "How often the agent abandoned its work because no coordinator responded",
    registers,
  });
  const logSent = new Counter({
    name: "elastic_agent_log_sent_bytes_total",
    help: "Bytes of attempts' logs that a coordinator has taken",
    registers,
  });
  const logDropped = new Counter({
    name: "elastic_agent_log_dropped_bytes_total",
    help: "Bytes that provers wrote beyond the limit of a log, or that no coordinator accepted",
    registers,
  });
  new Gauge({
    name: "elastic_agent_workloads",
    help: "Workloads of this node, by phase",
    labelNames: ["phase"],
    registers,
    collect() {
      const phases = gauges.workloadPhases();
      for (const phase of PHASES) this.set({ phase }, phases.filter((each) => each === phase).length);
    },
  });
  gauge(registry, "elastic_agent_attempts_running", "Attempts under way", gauges.attemptsRunning);
  gauge(
    registry,
    "elastic_agent_outcomes_pending",
    "Outcomes not acknowledged by a coordinator",
    gauges.outcomesPending,
  );
  gauge(registry, "elastic_agent_outcomes_spooled", "Outcomes stored on disk", gauges.outcomesSpooled);
  gauge(
    registry,
    "elastic_agent_log_waiting_bytes",
    "Bytes of logs not acknowledged by a coordinator",
    gauges.logBytesWaiting,
  );
  gauge(registry, "elastic_agent_volume_bytes", "Bytes of data volumes on this node", gauges.volumeBytes);
  gauge(
    registry,
    "elastic_agent_disk_pressure",
    "1 while full disks keep this node from new workloads",
    gauges.disksUnderPressure,
  );
  gauge(registry, "elastic_agent_links_up", "Coordinators that this agent is linked to", gauges.linksUp);
  gauge(registry, "elastic_agent_gpus", "GPUs and MIG instances of this node", gauges.gpus);
  gauge(registry, "elastic_agent_engines", "1 while a container engine responds", gauges.engines);
  gauge(
    registry,
    "elastic_agent_egress_policies",
    "NetworkPolicies of the cluster's namespace that permit provers egress, so that none starts; NaN where they cannot be read",
    gauges.egressPolicies,
  );
  gauge(
    registry,
    "elastic_agent_certificate_ends_timestamp_seconds",
    "When the node's certificate ends",
    () => gauges.certificateValidity().toMs / 1000,
  );
  gauge(
    registry,
    "elastic_agent_certificate_begins_timestamp_seconds",
    "When the node's certificate began",
    () => gauges.certificateValidity().fromMs / 1000,
  );

  return {
    registry,
    spans: addSpanMetrics(registry),
    onAttemptEnded: ({ outcome, waitMs, runMs }) => {
      attempts.inc({ outcome: outcome.kind === "failed" ? outcome.reason : outcome.kind });
      waitSeconds.observe(waitMs / 1000);
      runSeconds.observe(runMs / 1000);
    },
    onFenced: () => fences.inc(),
    onStarted: (stagesMs) => {
      for (const [stage, ms] of stagesMs) startSeconds.observe({ stage }, ms / 1000);
    },
    onLogSent: (bytes) => logSent.inc(bytes),
    onLogDropped: (bytes) => logDropped.inc(bytes),
  };
}

function gauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}
