import { expect, test } from "vitest";
import { BUILD_QUEUE_MS, BUILD_TIMEOUT_MS, type Build, cancelled, running } from "../../domain/build.ts";
import type { NodeInventory, NodeState } from "../../domain/node.ts";
import { aBuild, aBuildAssignment, aNode } from "../../domain/testing/records.ts";
import { SchedulerView } from "../view/scheduler-view.ts";
import { decideBuild } from "./decide-build.ts";
import type { BuildEntry } from "./entries.ts";

const GIB = 1024 ** 3;
let revision = 1;

function viewOf(
  nodes: Readonly<Record<string, Partial<NodeInventory> & { readonly state?: NodeState }>>,
): SchedulerView {
  const view = new SchedulerView();
  for (const [id, { state = "ready", ...inventory }] of Object.entries(nodes)) {
    const value = aNode(id, { builds: 1, memoryBytes: 8 * GIB, ...inventory, node: { state } });
    view.putNode(id, { value, revision: revision++ }, 0);
    view.putLink(id, true);
  }
  return view;
}

function entryOf(view: SchedulerView, build: Build, on?: string): BuildEntry {
  view.builds.put(build.id, { value: build, revision: revision++ });
  if (on !== undefined) {
    const value = aBuildAssignment(build, on);
    view.putAssignment(value.id, { value, revision: revision++ }, 0);
  }
  for (const entry of view.builds.takeDirty()) if (entry.id === build.id) return entry;
  throw new Error("the view has no such build");
}

function decide(view: SchedulerView, entry: BuildEntry, home: string | null, now: number) {
  return decideBuild(view, entry, { home, isServiceGone: false }, now);
}

function ranOn(nodeId: string, given: Partial<Build> = {}): Build {
  return running(aBuild(given), { assignmentId: "a", nodeId }, 0);
}

test("places a build where the team's layers are, else where the least is built", () => {
  const view = viewOf({ one: { builds: 2 }, two: {}, three: { builds: 0 } });
  entryOf(view, ranOn("one", { teamId: "9".repeat(32) }), "one");
  const entry = entryOf(view, aBuild());
  expect(decide(view, entry, null, 0)).toEqual({ kind: "assign", nodeId: "two" });
  expect(decide(view, entry, "one", 0)).toEqual({ kind: "assign", nodeId: "one" });
  expect(decide(view, entry, "three", 0)).toEqual({ kind: "assign", nodeId: "two" });
});

test.each([
  ["builds none", { builds: 0 }],
  ["drains", { state: "draining" }],
  ["has full disks", { diskPressure: "the disk is full" }],
  ["has no memory for it", { memoryBytes: 3 * GIB }],
] as const)("places none on a node that %s", (_, node) => {
  const view = viewOf({ one: node });
  expect(decide(view, entryOf(view, aBuild()), null, 0)).toMatchObject({ kind: "wait" });
});

test("runs one build of a team at a time on a node", () => {
  const view = viewOf({ one: { builds: 4 } });
  entryOf(view, ranOn("one"), "one");
  expect(decide(view, entryOf(view, aBuild()), null, 0)).toMatchObject({ kind: "wait" });
  const other = aBuild({ teamId: "9".repeat(32) });
  expect(decide(view, entryOf(view, other), null, 0)).toEqual({ kind: "assign", nodeId: "one" });
});

test("says once what a build waits for, and gives up after an hour", () => {
  const view = viewOf({});
  const step = decide(view, entryOf(view, aBuild()), null, 0);
  expect(step).toMatchObject({ kind: "wait", for: expect.stringContaining("none is part of the fleet") });
  const waitingFor = step?.kind === "wait" ? step.for : null;
  const entry = entryOf(view, aBuild({ state: { kind: "queued", since: 0, waitingFor } }));
  expect(decide(view, entry, null, BUILD_QUEUE_MS)).toBeNull();
  expect(decide(view, entry, null, BUILD_QUEUE_MS + 1)).toMatchObject({
    kind: "fail",
    failure: { reason: "no_builder" },
  });
});

test("requeues a build whose node is lost, and fails it the third time", () => {
  const view = viewOf({ one: { state: "lost" } });
  expect(decide(view, entryOf(view, ranOn("one"), "one"), null, 0)).toMatchObject({ kind: "requeue", place: {} });
  expect(decide(view, entryOf(view, ranOn("one")), null, 0)).toMatchObject({ kind: "requeue", place: null });
  const third = ranOn("one", { runs: 2 });
  expect(decide(view, entryOf(view, third, "one"), null, 0)).toMatchObject({
    kind: "fail",
    failure: { reason: "node_lost" },
  });
});

test("leaves a build alone that runs, also on a node that drains, until its time is over", () => {
  for (const state of ["ready", "draining"] as const) {
    const view = viewOf({ one: { state } });
    const entry = entryOf(view, ranOn("one"), "one");
    expect(decide(view, entry, null, BUILD_TIMEOUT_MS)).toBeNull();
    expect(decide(view, entry, null, 2 * BUILD_TIMEOUT_MS)).toMatchObject({
      kind: "fail",
      failure: { reason: "timeout" },
    });
  }
});

test("takes the place away from a build that was cancelled", () => {
  const view = viewOf({ one: {} });
  const build = ranOn("one");
  entryOf(view, build, "one");
  const entry = entryOf(view, cancelled(build, 5));
  expect(decide(view, entry, null, 5)).toMatchObject({ kind: "remove" });
});

test("cancels a build of a deleted service, wherever it is, and leaves one that has ended", () => {
  const view = viewOf({ one: {} });
  const gone = { home: null, isServiceGone: true };
  expect(decideBuild(view, entryOf(view, aBuild()), gone, 0)).toEqual({ kind: "cancel", place: null });
  const running = entryOf(view, ranOn("one", { id: "7".repeat(32) }), "one");
  expect(decideBuild(view, running, gone, 0)).toMatchObject({ kind: "cancel", place: {} });
  const ended = entryOf(view, cancelled(ranOn("one", { id: "8".repeat(32) }), 1), "one");
  expect(decideBuild(view, ended, gone, 0)).toMatchObject({ kind: "remove" });
});
