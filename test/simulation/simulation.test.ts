/** Seeds of the simulation, replayed and broken on purpose. `npm run simulate` runs more of them. */
import { expect, test } from "vitest";
import { runSchedule } from "./run-schedule.ts";
import { drawSchedule, type Schedule } from "./schedule.ts";
import { shrinkRun } from "./shrink-run.ts";
import { timelineOf } from "./timeline.ts";

const SECONDS = 60;

test.each([1, 2, 3, 4, 5, 6])("holds every promise under the faults of seed %i", async (seed) => {
  const { violations, executions } = await runSchedule(drawSchedule(seed, SECONDS));
  expect(violations).toEqual([]);
  expect(executions).toBeGreaterThan(0);
});

test("takes the same course again for the same seed, and another for another", async () => {
  const traceOf = async (seed: number) => (await runSchedule(drawSchedule(seed, SECONDS))).trace;
  const first = await traceOf(7);
  const other = await traceOf(8);
  expect(await traceOf(7)).toBe(first);
  expect(other).not.toBe(first);
});

test("finds that agents ignore their fence, and shrinks the run to the creation of a task and the cut", async () => {
  const schedule = cutOffAgents(11);
  const bug = "the fence is ignored";
  expect((await runSchedule(schedule)).violations).toEqual([]);
  const run = await runSchedule(schedule, { bug });
  expect(run.violations.join()).toMatch(/was started on a\d as attempt 2 while attempt 1 still ran/);
  const shrunk = await shrinkRun(schedule, run, { bug });
  expect(shrunk.schedule.events.map(({ kind }) => kind).sort()).toEqual(["create", "isolate"]);
  const timeline = await timelineOf(shrunk.schedule, { bug });
  expect(timeline.filter((line) => / \* /.test(line)).join()).toMatch(/creates task.*reaches no coordinator for/);
});

/** The events of a seed, with a long task and the isolation of the agents that may run it. */
function cutOffAgents(seed: number): Schedule {
  const drawn = drawSchedule(seed, SECONDS);
  const behaviour = { runMs: 29_000, end: "succeed", output: "{}" } as const;
  return {
    ...drawn,
    fleet: {
      ...drawn.fleet,
      coordinators: ["c1", "c2"],
      agents: ["a1", "a2", "a3", "a4"],
      slots: 1,
      concurrency: 1,
      workloadsMin: 1,
      workloadsMax: 1,
      startMs: 50,
      startsFail: 0,
    },
    events: [
      { kind: "create", atMs: 4_000, call: 0, at: "c1", behaviour },
      { kind: "cut", atMs: 4_500, from: "a2", to: "c2", noticeMs: 500 },
      { kind: "isolate", atMs: 5_000, host: "a1", forMs: 35_000 },
      { kind: "isolate", atMs: 5_000, host: "a2", forMs: 35_000 },
      { kind: "compact", atMs: 5_500 },
      { kind: "read", atMs: 6_000, call: 0, at: "c2" },
    ],
  };
}
