/** The events of a roll-out that are due since its last one, by the state of its workloads. Pure. */
import type { Instant } from "@elastic/std/clock.ts";
import { WORKLOAD_STEPS, type Workload, type WorkloadFailure, type WorkloadStep } from "../../domain/assignment.ts";
import {
  type RollOut,
  type RollOutEvent,
  type RollOutStage,
  rollOutEvent,
  type StepFailure,
} from "../../domain/roll-out.ts";
import type { AssignmentEntry, ServiceEntry } from "./entries.ts";
import { isAlive } from "./usable-workloads.ts";

/** What is known once a workload has come to a step. */
const STAGE_AT: Readonly<Record<WorkloadStep, RollOutStage>> = {
  pulling: "pulling",
  fetching: "fetching",
  starting: "pulled",
  checking: "started",
};
/** Not every start has them: nothing is missing without. */
const OPTIONAL: readonly RollOutStage[] = ["pulling", "fetching"];

/** In the order in which they happened, as far as that is known. */
export function newEvents(rollOut: RollOut, service: ServiceEntry, now: Instant): readonly RollOutEvent[] {
  const own = [...service.assignments].filter(
    ({ value, read }) => read !== null && value.workload.deploymentId === rollOut.id,
  );
  const watched = workloadToReport(rollOut, own);
  return [...own.filter(hasFailed), ...(watched === null ? [] : [watched])].flatMap((entry) =>
    eventsOf(rollOut, entry, now),
  );
}

/** The one that is ready, else the one of the last event, else any that is coming up. */
function workloadToReport(rollOut: RollOut, own: readonly AssignmentEntry[]): AssignmentEntry | null {
  const alive = own.filter(isAlive);
  const lastId = rollOut.events.at(-1)?.assignmentId;
  return (
    alive.find((entry) => entry.workload?.value.phase === "ready") ??
    alive.find((entry) => entry.id === lastId) ??
    alive[0] ??
    null
  );
}

function hasFailed({ workload }: AssignmentEntry): boolean {
  return workload?.value.phase === "failed";
}

function eventsOf(rollOut: RollOut, { id, workload }: AssignmentEntry, now: Instant): RollOutEvent[] {
  const recorded = new Set(rollOut.events.filter((event) => event.assignmentId === id).map((event) => event.stage));
  const record = workload?.value ?? null;
  return reached(record)
    .filter((stage) => !recorded.has(stage))
    .map((stage) =>
      rollOutEvent(stage, now, {
        assignmentId: id,
        bytes: stage === "pulled" && record !== null ? record.bytes : null,
        failure: stage === "retrying" && record?.failure ? failureOf(record.failure) : null,
      }),
    );
}

/** Everything up to where the workload is: what comes quickly is seen only by what comes after it. */
function reached(workload: Workload | null): RollOutStage[] {
  const step = workload?.failure?.step ?? workload?.step ?? null;
  const isReady = workload?.phase === "ready";
  const at = isReady ? WORKLOAD_STEPS.length - 1 : step === null ? -1 : WORKLOAD_STEPS.indexOf(step);
  const stages = WORKLOAD_STEPS.slice(0, at + 1).map((each) => STAGE_AT[each]);
  const latest = stages.at(-1);
  const certain = stages.filter((stage) => stage === latest || !OPTIONAL.includes(stage));
  const last = isReady ? (["healthy"] as const) : workload?.phase === "failed" ? (["retrying"] as const) : [];
  return ["placed", ...certain, ...last];
}

/** Of a workload: without a reported step the failure counts as one of the start. */
export function failureOf({ step, ...failure }: WorkloadFailure): StepFailure {
  return { ...failure, step: step ?? "starting" };
}
