import fc from "fast-check";
import { expect, test } from "vitest";
import type { FoundWorkload } from "../domain/driver.ts";
import { specOf, type WorkloadSpec } from "../domain/workload-spec.ts";
import { assignmentOf } from "../testing/orders.ts";
import { type CurrentWorkload, plan } from "./plan.ts";

function spec(assignmentId: string, gpuUuids: string[] = []): WorkloadSpec {
  const made = specOf(assignmentOf("r/i@sha256:0", { assignmentId, gpuUuids }));
  if (made === null) throw new Error("the assignment is not understood");
  return made;
}

function found(assignmentId: string, handle = `c-${assignmentId}`): FoundWorkload {
  return { assignmentId, handle, adopt: async () => null, remove: async () => undefined };
}

const kept = (each: WorkloadSpec, stopping = false): CurrentWorkload => ({ spec: each, stopping });

test("starts what is assigned and not there", () => {
  expect(plan([spec("a")], [], [])).toEqual([{ kind: "start", spec: spec("a"), found: null, after: [] }]);
});

test("leaves alone what is assigned and there", () => {
  expect(plan([spec("a")], [kept(spec("a"))], [])).toEqual([]);
});

test("stops what is assigned no longer, once", () => {
  expect(plan([], [kept(spec("a"))], [])).toEqual([{ kind: "stop", assignmentId: "a" }]);
  expect(plan([], [kept(spec("a"), true)], [])).toEqual([]);
});

test("takes over what an earlier process left for an assignment, and removes the rest", () => {
  const [own, twin, other] = [found("a"), found("a", "twin"), found("b")];
  expect(plan([spec("a")], [], [own, twin, other])).toEqual([
    { kind: "remove", found: twin },
    { kind: "remove", found: other },
    { kind: "start", spec: spec("a"), found: own, after: [] },
  ]);
});

test("a GPU changes hands only after its holder is gone", () => {
  const [, start] = plan([spec("b", ["g1"])], [kept(spec("a", ["g1", "g2"])), kept(spec("c", ["g3"]), true)], []);
  expect(start).toMatchObject({ kind: "start", after: ["a"] });
});

test("carried out, any plan ends with what is wanted and nothing else", () => {
  const ids = fc.uniqueArray(fc.constantFrom("a", "b", "c", "d", "e"));
  fc.assert(
    fc.property(ids, ids, ids, (wanted: string[], up: string[], left: string[]) => {
      const actions = plan(
        wanted.map((id) => spec(id)),
        up.map((id) => kept(spec(id))),
        left.map((id) => found(id)),
      );
      const running = new Set(up);
      for (const action of actions) {
        if (action.kind === "stop") running.delete(action.assignmentId);
        if (action.kind === "start") running.add(action.spec.assignmentId);
      }
      const removed = actions.filter((action) => action.kind === "remove").length;
      const adopted = actions.filter((action) => action.kind === "start" && action.found !== null).length;
      expect([...running].sort()).toEqual([...wanted].sort());
      expect(removed + adopted).toBe(left.length);
    }),
  );
});
