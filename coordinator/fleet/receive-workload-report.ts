/** Keeps the records of workloads as agents report them: of the node's own assignments only, and while they stand. */

import { isDeepStrictEqual } from "node:util";
import { WorkloadPhase as WirePhase, type WorkloadReport } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { isId } from "@elastic/std/ids.ts";
import { WORKLOAD_STEPS, type Workload, type WorkloadPhase, type WorkloadStep } from "../domain/assignment.ts";
import type { StartProgress } from "../progress/start-board.ts";
import { put, remove, unchanged } from "../store/change.ts";
import { UnreadableRecordError } from "../store/codec.ts";
import { update } from "../store/update.ts";
import type { FleetContext } from "./fleet-context.ts";
import { type ReadFailure, readFailure } from "./read-failure.ts";

type Context = Pick<FleetContext, "store" | "starts" | "clock" | "metrics" | "violations">;

const WARNING_CHARS_MAX = 1_000;
const LOG_TAIL_CHARS_MAX = 4 * 1024;

/** Later versions may have further phases, and no version so many. */
const PHASES_MAX = 100;

const PHASES: ReadonlyMap<number, WorkloadPhase> = new Map([
  [WirePhase.WORKLOAD_PHASE_PULLING, "pulling"],
  [WirePhase.WORKLOAD_PHASE_STARTING, "starting"],
  [WirePhase.WORKLOAD_PHASE_READY, "ready"],
  [WirePhase.WORKLOAD_PHASE_FAILED, "failed"],
  [WirePhase.WORKLOAD_PHASE_STOPPED, "stopped"],
]);

export async function receiveWorkloadReport(context: Context, nodeId: string, report: WorkloadReport): Promise<void> {
  try {
    await writeWorkload(context, nodeId, report);
  } catch (error) {
    // No other record of the node waits for it.
    if (!(error instanceof UnreadableRecordError)) throw error;
    leaveToLater(context, nodeId, error.message);
  }
}

async function writeWorkload(context: Context, nodeId: string, report: WorkloadReport): Promise<void> {
  const phase = PHASES.get(report.phase);
  if (!isId(report.assignmentId)) return refuse(context, nodeId, "a workload's report names no assignment");
  if (phase === undefined) return refusePhase(context, nodeId, report.phase);
  const failure = failureOf(report, phase);
  if (failure === "unknown") return leaveToLater(context, nodeId, "the reason of a workload's failure is not known");
  const step = readStep(report, phase);
  await update(context.store, {
    read: async (isAgain) => {
      const assignment = await findAssignment(context, report.assignmentId, isAgain);
      // It was removed meanwhile, and its workload's record with it.
      if (assignment === null) return null;
      if (assignment.value.nodeId !== nodeId) {
        refuse(context, nodeId, "the assignment of a workload's report is another node's");
        return null;
      }
      if (step !== null) context.starts.set(assignment.value, { step, ...readBytes(report), ...readSigns(report) });
      // No more than more bytes, of which there is no record.
      if (isStillAt(context, report, phase, step)) return null;
      return { assignment, before: await context.store.get("workloads", report.assignmentId) };
    },
    decide: (read) => {
      const after = workloadOf(context, nodeId, { report, phase, failure });
      const isNews = read !== null && (read.before === null || !saysTheSame(read.before.value, after));
      // The assignment is compared, so that a late report leaves no record of what is gone.
      return isNews ? [unchanged("assignments", read.assignment), put("workloads", read.before, after)] : [];
    },
  });
}

/** After a hello: what the agent does not have any more has no record either, until it reports again. */
export async function forgetWorkloads(
  context: Context,
  nodeId: string,
  reports: readonly WorkloadReport[],
): Promise<void> {
  const has = new Set(reports.map((report) => report.assignmentId));
  const gone = [...context.store.view.workloads.values()].filter(
    ({ value }) => value.nodeId === nodeId && !has.has(value.assignmentId),
  );
  await Promise.all(gone.map((workload) => context.store.commit([remove("workloads", workload)])));
}

/** The view may be behind: what it does not have, or what just conflicted, is read. */
async function findAssignment({ store }: Context, id: string, again: boolean) {
  const seen = again ? undefined : store.view.assignments.get(id);
  return seen ?? (await store.get("assignments", id));
}

/** As the agent says; where it does not, as the phase implies. */
function readStep({ progress }: WorkloadReport, phase: WorkloadPhase): WorkloadStep | null {
  const said = WORKLOAD_STEPS.find((step) => step === progress?.stage);
  if (phase === "failed") return said ?? null;
  return phase === "pulling" || phase === "starting" ? (said ?? phase) : null;
}

function readBytes({ progress }: WorkloadReport): { readonly doneBytes: number; readonly totalBytes: number } {
  return { doneBytes: count(progress?.doneBytes ?? 0n), totalBytes: count(progress?.totalBytes ?? 0n) };
}

/** An agent cuts them; nobody has to believe that. */
function readSigns({ progress }: WorkloadReport): Pick<StartProgress, "warning" | "logTail"> {
  const { warning = "", logTail = "" } = progress ?? {};
  return { warning: warning.slice(0, WARNING_CHARS_MAX), logTail: logTail.slice(-LOG_TAIL_CHARS_MAX) };
}

function count(bytes: bigint): number {
  return bytes > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(bytes);
}

function isStillAt({ store }: Context, report: WorkloadReport, phase: WorkloadPhase, step: WorkloadStep | null) {
  if (phase !== "pulling" && phase !== "starting") return false;
  const known = store.view.workloads.get(report.assignmentId)?.value;
  return known?.phase === phase && known.step === step;
}

/** Null in a phase that has none. */
function failureOf({ failure }: WorkloadReport, phase: WorkloadPhase): ReadFailure | null | "unknown" {
  if (phase !== "failed") return null;
  const unexplained = { reason: "internal", message: "the workload failed; the agent did not say why", logTail: "" };
  return readFailure(failure ?? unexplained) ?? "unknown";
}

function workloadOf(
  { clock }: Context,
  nodeId: string,
  read: { readonly report: WorkloadReport; readonly phase: WorkloadPhase; readonly failure: ReadFailure | null },
): Workload {
  const { report, phase, failure } = read;
  const step = readStep(report, phase);
  return {
    assignmentId: report.assignmentId,
    nodeId,
    phase,
    step,
    bytes: readBytes(report).doneBytes,
    since: clock.now(),
    failure: failure === null ? null : { step, ...failure },
  };
}

function saysTheSame(before: Workload, after: Workload): boolean {
  return isDeepStrictEqual({ ...before, since: 0 }, { ...after, since: 0 });
}

function refuse({ metrics, violations }: Context, nodeId: string, why: string): void {
  metrics.fleet.reportRefused("workload");
  violations.note(nodeId, "workload", why);
}

function refusePhase(context: Context, nodeId: string, phase: number): void {
  const why = `the phase ${phase} of a workload's report is not known`;
  const isOfLaterVersion = phase > WirePhase.WORKLOAD_PHASE_UNSPECIFIED && phase <= PHASES_MAX;
  if (isOfLaterVersion) leaveToLater(context, nodeId, why);
  else refuse(context, nodeId, why);
}

/** A coordinator of a later version takes it. */
function leaveToLater({ metrics, violations }: Context, nodeId: string, why: string): void {
  metrics.fleet.reportRefused("workload");
  violations.pass(nodeId, "workload", why);
}
