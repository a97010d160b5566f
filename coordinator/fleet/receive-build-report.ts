/**
 * Keeps the records of builds as agents report them. A report counts while its assignment stands and the build runs under
 * it: the commit that ends a build removes both claims, so a late or repeated report changes nothing.
 */
import { isDeepStrictEqual } from "node:util";
import type { BuildReport, BuildStage as WireStage } from "@elastic/proto/gen/elastic/fleet/v1/build.ts";
import { isId } from "@elastic/std/ids.ts";
import { type Assignment, isOfBuild } from "../domain/assignment.ts";
import {
  BUILD_FAILURE_REASONS,
  type Build,
  type BuildFailure,
  type BuildFailureReason,
  type BuildStage,
  failed,
  succeeded,
} from "../domain/build.ts";
import type { Versioned } from "../domain/versioned.ts";
import { remove, replace, unchanged } from "../store/change.ts";
import { UnreadableRecordError } from "../store/codec.ts";
import { update } from "../store/update.ts";
import type { FleetContext } from "./fleet-context.ts";
import { DURATION_MS_MAX, FAILURE_MESSAGE_BYTES_MAX } from "./limits.ts";
import { headOf } from "./wire-text.ts";

type Context = Pick<FleetContext, "store" | "clock" | "log" | "metrics" | "violations">;

const STAGE_NAME_BYTES_MAX = 32;
const LINE_MAX = 1_000_000;
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Rejects when the store cannot be reached: the agent reports again on its next link. */
export async function receiveBuildReport(context: Context, nodeId: string, report: BuildReport): Promise<void> {
  if (!isId(report.assignmentId)) return refuse(context, nodeId, "a build's report names no assignment");
  try {
    await writeBuild(context, nodeId, report);
  } catch (error) {
    if (!(error instanceof UnreadableRecordError)) throw error;
    leaveToLater(context, nodeId, error.message);
  }
}

async function writeBuild(context: Context, nodeId: string, report: BuildReport): Promise<void> {
  const { store, clock, log } = context;
  const { outcome } = report;
  if (outcome?.$case === "failed" && reasonOf(outcome.value.reason) === null)
    return leaveToLater(context, nodeId, "the reason of a build's failure is not known");
  const { result: build, isChanged } = await update(store, {
    read: async () => {
      const assignment = await store.get("assignments", report.assignmentId);
      // It has ended, and so has its build.
      if (assignment === null) return null;
      if (assignment.value.nodeId !== nodeId) {
        refuse(context, nodeId, "the assignment of a build's report is another node's");
        return null;
      }
      const before = await buildOf(context, assignment.value);
      if (before !== null && isWithoutDigest(report)) {
        context.violations.note(nodeId, "build", "a build's report names an image by no digest");
      }
      return { assignment, before };
    },
    decide: (read) => {
      if (read?.before == null) return { changes: [], result: null };
      const { assignment, before } = read;
      const after = afterReport(before.value, report, clock.now());
      if (isDeepStrictEqual(after, before.value)) return { changes: [], result: null };
      const isRunning = after.state.kind === "running";
      const claim = isRunning ? unchanged("assignments", assignment) : remove("assignments", assignment);
      return { changes: [replace("builds", before, after), claim], result: after };
    },
  });
  if (isChanged && build !== null && build.state.kind !== "running")
    log.info({ nodeId, buildId: build.id, state: build.state.kind }, "a build ended");
}

/** Null unless the build runs under the assignment. */
async function buildOf({ store }: Context, assignment: Assignment): Promise<Versioned<Build> | null> {
  if (!isOfBuild(assignment)) return null;
  const build = await store.get("builds", assignment.workload.buildId);
  const state = build?.value.state;
  return state?.kind === "running" && state.assignmentId === assignment.id ? build : null;
}

function afterReport(build: Build, report: BuildReport, now: number): Build {
  const reported = { ...build, stages: report.stages.map(readStage) };
  const { outcome } = report;
  switch (outcome?.$case) {
    case "succeeded": {
      const { digest, bytes } = outcome.value;
      if (!DIGEST.test(digest)) return failed(reported, invalidReport(), now);
      return succeeded(reported, { digest, imageBytes: numberOf(bytes) }, now);
    }
    case "failed":
      return failed(reported, readFailure(outcome.value), now);
    default:
      // How long a stage has lasted changes with every report, and is no news.
      return isSameStages(build.stages, reported.stages) ? build : reported;
  }
}

function isWithoutDigest({ outcome }: BuildReport): boolean {
  return outcome?.$case === "succeeded" && !DIGEST.test(outcome.value.digest);
}

function isSameStages(before: readonly BuildStage[], after: readonly BuildStage[]): boolean {
  return before.length === after.length && before.every(({ name }, index) => name === after[index]?.name);
}

function readStage({ name, millis }: WireStage): BuildStage {
  return { name: headOf(name, STAGE_NAME_BYTES_MAX), millis: Math.min(numberOf(millis), DURATION_MS_MAX) };
}

function readFailure({
  reason,
  message,
  line,
}: {
  readonly reason: string;
  readonly message: string;
  readonly line?: number | undefined;
}): BuildFailure {
  const known = reasonOf(reason) ?? "internal";
  // Not for an agent to decide.
  const isOwn = known !== "node_lost" && known !== "no_builder";
  return {
    reason: isOwn ? known : "internal",
    message: headOf(message, FAILURE_MESSAGE_BYTES_MAX) || "its machine gave no message",
    line: line === undefined || line < 1 || line > LINE_MAX ? null : line,
  };
}

/** Null for one that a later version may have. */
function reasonOf(text: string): BuildFailureReason | null {
  return BUILD_FAILURE_REASONS.find((each) => each === text) ?? null;
}

function invalidReport(): BuildFailure {
  return { reason: "internal", message: "its machine reported an image without a digest", line: null };
}

function numberOf(count: bigint): number {
  return count > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(count);
}

function refuse({ metrics, violations }: Context, nodeId: string, why: string): void {
  metrics.fleet.reportRefused("build");
  violations.note(nodeId, "build", why);
}

/** A coordinator of a later version takes it. */
function leaveToLater({ metrics, violations }: Context, nodeId: string, why: string): void {
  metrics.fleet.reportRefused("build");
  violations.pass(nodeId, "build", why);
}
