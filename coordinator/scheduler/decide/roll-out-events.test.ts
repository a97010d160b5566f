import { expect, test } from "vitest";
import type { Workload, WorkloadFailure } from "../../domain/assignment.ts";
import { beginRollOut, type RollOut, withEvents } from "../../domain/roll-out.ts";
import { deploy } from "../../domain/service.ts";
import { aDeployment, aNewService, aNode, anAssignment, aWorkload } from "../../domain/testing/records.ts";
import { viewOf } from "../testing/view-of.ts";
import { newEvents } from "./roll-out-events.ts";

const bare = aNewService();
const next = aDeployment({ serviceId: bare.id });
const service = deploy(bare, next.id);
const first = anAssignment(next, "node-a", { id: "a".repeat(32) });
const second = anAssignment(next, "node-a", { id: "b".repeat(32) });
const NEW = beginRollOut(
  { id: next.id, serviceId: service.id, teamId: service.teamId },
  { receivedAt: 0, resolvedAt: 0 },
  null,
);
const FAILURE: WorkloadFailure = { step: "checking", reason: "internal", message: "m", exitCode: 1, logTail: "log" };

/** The stages that are recorded when workloads are in these states; null for one without a report yet. */
function record(rollOut: RollOut, stands: { first?: Partial<Workload> | null; second?: Partial<Workload> | null }) {
  const given = [[first, stands.first] as const, [second, stands.second] as const];
  const view = viewOf({
    services: [service],
    deployments: [next],
    nodes: [aNode("node-a")],
    assignments: given.flatMap(([assignment, stand]) => (stand === undefined ? [] : [assignment])),
    workloads: given.flatMap(([assignment, stand]) => (stand ? [aWorkload(assignment, stand)] : [])),
  });
  const entry = view.services.get(service.id);
  if (entry === undefined) throw new Error("the service is in the view");
  const after = withEvents(rollOut, newEvents(rollOut, entry, 5));
  return { after, stages: after.events.slice(rollOut.events.length).map(({ stage }) => stage) };
}

test("records each step of a start once", () => {
  let rollOut = NEW;
  const steps: string[][] = [];
  const advance = (stand: Partial<Workload> | null) => {
    const { after, stages } = record(rollOut, { first: stand });
    rollOut = after;
    steps.push(stages);
  };
  advance(null);
  advance({ phase: "pulling", step: "pulling" });
  advance({ phase: "pulling", step: "pulling" });
  advance({ phase: "pulling", step: "fetching" });
  advance({ phase: "starting", step: "starting", bytes: 7 });
  advance({ phase: "starting", step: "checking", bytes: 7 });
  advance({ phase: "ready", bytes: 7 });
  advance({ phase: "ready", bytes: 7 });
  expect(steps).toEqual([["placed"], ["pulling"], [], ["fetching"], ["pulled"], ["started"], ["healthy"], []]);
  expect(rollOut.events.find(({ stage }) => stage === "pulled")).toMatchObject({ bytes: 7, assignmentId: first.id });
});

test("records steps that were too quick to be seen, but for a pull that may not have happened", () => {
  expect(record(NEW, { first: { phase: "ready" } }).stages).toEqual(["placed", "pulled", "started", "healthy"]);
  expect(record(NEW, { first: { phase: "starting", step: "checking" } }).stages).toEqual([
    "placed",
    "pulled",
    "started",
  ]);
});

test("records a failure with its step, and its successor from the beginning", () => {
  const failed = { phase: "failed", failure: FAILURE } as const;
  const { after, stages } = record(NEW, { first: failed });
  expect(stages).toEqual(["placed", "pulled", "started", "retrying"]);
  expect(after.events.at(-1)).toMatchObject({ failure: { step: "checking", reason: "internal", message: "m" } });
  const both = record(after, { first: failed, second: { phase: "starting", step: "starting" } });
  expect(both.stages).toEqual(["placed", "pulled"]);
});

test("a failure before any step says that it was in the start", () => {
  const { after } = record(NEW, { first: { phase: "failed", failure: { ...FAILURE, step: null } } });
  expect(after.events.at(-1)?.failure?.step).toBe("starting");
});

test("records of several workloads the one that is ready, and else the one of the last event", () => {
  const before = record(NEW, { second: { phase: "pulling", step: "pulling" } }).after;
  const stays = record(before, {
    first: { phase: "pulling", step: "pulling" },
    second: { phase: "pulling", step: "pulling" },
  });
  expect(stays.stages).toEqual([]);
  const ready = record(before, { first: { phase: "ready" }, second: { phase: "pulling", step: "pulling" } });
  expect(ready.after.events.at(-1)).toMatchObject({ stage: "healthy", assignmentId: first.id });
});
