import fc from "fast-check";
import { expect, test } from "vitest";
import { aTask } from "../../domain/testing/records.ts";
import { dispatch, type ServingWorkload } from "./dispatch.ts";

const SERVICE = { id: "5".repeat(32) };

function waiting(name: string, avoidNodeIds: readonly string[] = []) {
  return { name, read: { value: { ...aTask(SERVICE), avoidNodeIds }, revision: 1 } };
}

function workload(nodeId: string, given: Partial<ServingWorkload> = {}): ServingWorkload {
  return { nodeId, running: 0, concurrency: 1, idleSinceMs: 0, ...given };
}

/** As sentences: which task starts on which node. */
function starts(tasks: readonly ReturnType<typeof waiting>[], serving: readonly ServingWorkload[]): string[] {
  return dispatch(tasks, serving).map(({ task, on }) => `${task.name} on ${on.nodeId}`);
}

test("the oldest task starts first, and as many as there is room for", () => {
  expect(starts([waiting("first"), waiting("second")], [workload("a")])).toEqual(["first on a"]);
});

test("the workload that runs the fewest is taken", () => {
  const serving = [workload("busy", { running: 2, concurrency: 4 }), workload("idle", { running: 0, concurrency: 4 })];
  expect(starts([waiting("1"), waiting("2"), waiting("3")], serving)).toEqual(["1 on idle", "2 on idle", "3 on idle"]);
});

test("among idle ones the one that worked last is taken: it is warm", () => {
  const serving = [workload("cold", { idleSinceMs: 10 }), workload("warm", { idleSinceMs: 20 })];
  expect(starts([waiting("1"), waiting("2")], serving)).toEqual(["1 on warm", "2 on cold"]);
});

test("a node that failed the task is passed over while another can serve it, even if that one is busy", () => {
  const busy = workload("good", { running: 1 });
  expect(starts([waiting("retried", ["bad"]), waiting("other")], [workload("bad"), busy])).toEqual(["other on bad"]);
  expect(starts([waiting("retried", ["bad"])], [workload("bad"), workload("good")])).toEqual(["retried on good"]);
});

test("a node that failed the task serves it when no other can", () => {
  expect(starts([waiting("retried", ["bad"])], [workload("bad")])).toEqual(["retried on bad"]);
});

test("tasks that wait for one node do not keep others from the rest", () => {
  const stuck = Array.from({ length: 20 }, (_, n) => waiting(`stuck ${n}`, ["bad"]));
  expect(starts([...stuck, waiting("free")], [workload("bad"), workload("good", { running: 1 })])).toEqual([
    "free on bad",
  ]);
});

test("nothing starts without a workload that has room", () => {
  expect(starts([waiting("1")], [])).toEqual([]);
  expect(starts([waiting("1")], [workload("full", { running: 1 })])).toEqual([]);
  expect(starts([waiting("1")], [workload("closed", { concurrency: 0 })])).toEqual([]);
});

const node = fc.constantFrom("a", "b", "c", "d");
const anyServing = fc.array(
  fc.record({
    nodeId: node,
    running: fc.nat({ max: 5 }),
    concurrency: fc.nat({ max: 5 }),
    idleSinceMs: fc.nat({ max: 100 }),
  }),
  { maxLength: 8 },
);
const anyWaiting = fc.array(
  fc.subarray(["a", "b", "c", "d"]).map((avoid) => waiting("x", avoid)),
  { maxLength: 40 },
);

test("no workload ever gets more than its concurrency, and no task starts twice", () => {
  fc.assert(
    fc.property(anyWaiting, anyServing, (tasks, serving) => {
      const dispatched = dispatch(tasks, serving);
      for (const offered of serving) {
        const given = dispatched.filter(({ on }) => on === offered).length;
        if (given > 0) expect(offered.running + given).toBeLessThanOrEqual(offered.concurrency);
      }
      expect(new Set(dispatched.map(({ task }) => task)).size).toBe(dispatched.length);
    }),
  );
});

test("no task starts on a node that failed it while another serves", () => {
  fc.assert(
    fc.property(anyWaiting, anyServing, (tasks, serving) => {
      for (const { task, on } of dispatch(tasks, serving)) {
        const { avoidNodeIds } = task.read.value;
        const another = serving.some(({ nodeId }) => !avoidNodeIds.includes(nodeId));
        if (another) expect(avoidNodeIds).not.toContain(on.nodeId);
      }
    }),
  );
});

test("no room is left while a task without a past waits", () => {
  fc.assert(
    fc.property(fc.nat({ max: 30 }), anyServing, (count, serving) => {
      const room = serving.reduce((total, { concurrency, running }) => total + Math.max(0, concurrency - running), 0);
      const tasks = Array.from({ length: count }, (_, n) => waiting(`${n}`));
      expect(dispatch(tasks, serving)).toHaveLength(Math.min(count, room));
    }),
  );
});

test("a hundred thousand waiting tasks are not looked at when one starts", () => {
  let looked = 0;
  function* many() {
    for (let n = 0; n < 100_000; n++) {
      looked++;
      yield waiting(`${n}`);
    }
  }
  expect(dispatch(many(), [workload("a")])).toHaveLength(1);
  expect(looked).toBe(1);
});
