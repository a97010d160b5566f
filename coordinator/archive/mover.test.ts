import fc from "fast-check";
import { expect, test } from "vitest";
import { queue, type Task } from "../domain/task.ts";
import type { Store } from "../store/store.ts";
import { anEndedTask, archived } from "./testing/ended-tasks.ts";
import { HistoryReader, HOUR_MS, NOW, TEAM } from "./testing/history-reader.ts";
import { addTask, type Moving, startMoving } from "./testing/moving.ts";

const OTHER_TEAM = "0".repeat(31).concat("b");
const LIMITS = { afterMs: 600_000, endedMax: 50_000 };
const SETTLED_MS = 20_000;

/** Open tasks, ended ones that are due, and ended ones that stay, of two teams. */
const someTasks = fc
  .array(
    fc.record({
      fate: fc.constantFrom("open", "due", "due", "due", "fresh"),
      phase: fc.constantFrom("succeeded", "failed", "cancelled"),
      large: fc.boolean(),
      other: fc.nat(9),
      ageMs: fc.integer({ min: 0, max: 3 * HOUR_MS }),
    }),
    { minLength: 1, maxLength: 30 },
  )
  .map((given) =>
    given.map(({ fate, phase, large, other, ageMs }) => {
      const teamId = other === 0 ? OTHER_TEAM : TEAM;
      if (fate === "open") {
        const { phase: _phase, attempts: _attempts, timeline: _timeline, ...task } = anEndedTask();
        const createdAt = NOW - ageMs;
        return queue({ ...task, id: anEndedTask({ createdAt }).id, teamId, createdAt });
      }
      const createdAt = NOW - ageMs - (fate === "due" ? LIMITS.afterMs : 0);
      const runMs = fate === "due" ? 0 : ageMs;
      return anEndedTask({
        teamId,
        phase,
        createdAt,
        queueMs: 0,
        runMs,
        ...(large ? { resultBlob: "3".repeat(64) } : {}),
      });
    }),
  );

test("lists, counts, usage and tasks are the same at every step of a move, at every coordinator", async () => {
  await fc.assert(
    fc.asyncProperty(someTasks, fc.integer({ min: 1, max: 7 }), async (tasks, size) => {
      await using moving = await startMoving(NOW);
      const [store, other] = [await moving.openStore(), await moving.openStore()];
      for (const task of tasks) await addTask(store, task);
      await expect.poll(() => countOf(other)).toBe(tasks.length);
      const readers = [store, other].map((one) => new HistoryReader(tasks, one, moving, size));
      const look = async () => {
        for (const reader of readers) await reader.look();
      };
      const mover = moving.mover(store, LIMITS, look);
      while (await mover.move());
      await mover.settle();
      moving.clock.nowMs += SETTLED_MS;
      await mover.settle();
      await look();
      expect(countOf(store)).toBe(tasks.filter((task) => !isDue(task)).length);
      expect(await moving.archive.arriving(1)).toEqual([]);
    }),
    { numRuns: 12 },
  );
});

test("removes nothing from the store that the archive has not taken", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  await addTask(store, anEndedTask({ createdAt: NOW - HOUR_MS }));
  let steps = 0;
  // What is read first is put next, and removed after that.
  const mover = moving.mover(store, LIMITS, async () => {
    steps += 1;
    if (steps === 3) throw new Error("the archive is away");
  });
  await expect(mover.move()).rejects.toThrow("the archive is away");
  expect(countOf(store)).toBe(1);
  expect(await mover.move()).toBe(false);
  expect(countOf(store)).toBe(0);
});

test("whichever step is a coordinator's last, the next one moves each task once, and none is ever missing", async () => {
  // More than go into one read, and into one commit.
  const tasks = Array.from({ length: 45 }, (_unused, index) =>
    anEndedTask({ createdAt: NOW - HOUR_MS + index, phase: index === 2 ? "failed" : "succeeded" }),
  );
  let steps = 0;
  for (let last = 1; last === 1 || steps >= last - 1; last++) {
    await using moving = await startMoving(NOW);
    const store = await moving.openStore();
    for (const task of tasks) await addTask(store, task);
    steps = 0;
    const dying = moving.mover(store, LIMITS, async () => {
      if (++steps >= last) throw new Error("killed");
    });
    await runToEnd(dying, moving).catch(() => undefined);

    const next = await moving.openStore();
    const reader = new HistoryReader(tasks, next, moving, 20);
    for (let looks = 0; looks < 4; looks++) await reader.look();
    await runToEnd(
      moving.mover(next, LIMITS, () => reader.look()),
      moving,
    );
    await reader.look();
    expect(countOf(next)).toBe(0);
    expect(await moving.archive.arriving(1)).toEqual([]);
    for (const of of ["input", "result"] as const) {
      for (const { id } of tasks) expect(await next.bytes(of, id)).toBeNull();
    }
  }
  expect(steps).toBeGreaterThan(15);
});

test("a task is settled when it has been gone for so long that no reader counts it in the store, and not before", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  const [gone, stuck] = [anEndedTask({ createdAt: NOW - HOUR_MS }), anEndedTask({ createdAt: NOW - HOUR_MS + 1 })];
  await addTask(store, gone);
  const mover = moving.mover(store, LIMITS);
  await mover.move();
  await addTask(store, stuck);
  await moving.archive.put([archived(stuck)]);
  await mover.settle();
  for (const [waitedMs, arriving] of [
    [14_999, [gone.id, stuck.id]],
    [1, [stuck.id]],
    [60_000, [stuck.id]],
  ] as const) {
    moving.clock.nowMs += waitedMs;
    await mover.settle();
    expect(await moving.archive.arriving(10)).toEqual(arriving);
  }
});

test("all tasks that arrived are settled, though more than are looked at together, and nothing moves any more", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  const tasks = Array.from({ length: 7 }, (_unused, index) => anEndedTask({ createdAt: NOW - HOUR_MS + index }));
  await moving.archive.put(tasks.map(archived));
  const mover = moving.mover(store, LIMITS, undefined, 3);
  for (const left of [7, 4, 4, 1, 1, 0]) {
    await mover.settle();
    expect(await moving.archive.arriving(10)).toHaveLength(left);
    moving.clock.nowMs += SETTLED_MS;
  }
});

test("two coordinators that both believe to lead move each task once", async () => {
  await using moving = await startMoving(NOW);
  const [store, other] = [await moving.openStore(), await moving.openStore()];
  const tasks = Array.from({ length: 300 }, (_unused, index) => anEndedTask({ createdAt: NOW - HOUR_MS + index }));
  for (const task of tasks) await addTask(store, task);
  await expect.poll(() => countOf(other)).toBe(300);
  await Promise.all([store, other].map((one) => moveAll(moving.mover(one, LIMITS))));
  // What one of them found taken by the other is left to its next turn.
  const next = moving.mover(store, LIMITS);
  await expect
    .poll(async () => {
      await next.move();
      return [countOf(store), countOf(other)];
    })
    .toEqual([0, 0]);
  await runToEnd(next, moving);
  await new HistoryReader(tasks, store, moving, 100).look();
});

test("a coordinator's memory does not grow with history: of a thousand ended tasks that moved, nothing is left", async () => {
  await using moving = await startMoving(NOW);
  const store = await moving.openStore();
  const open = queue({ ...anEndedTask({ createdAt: NOW }), createdAt: NOW });
  await addTask(store, open);
  const tasks = Array.from({ length: 1_000 }, (_unused, index) => anEndedTask({ createdAt: NOW - HOUR_MS + index }));
  await Promise.all(tasks.map((task) => addTask(store, task)));
  const { tasks: view } = store.view;
  expect([view.endedEntries.size, view.list({ teamId: TEAM }, { offset: 0, limit: 0 }).total]).toEqual([1_000, 1_001]);
  await runToEnd(moving.mover(store, LIMITS), moving);
  expect([view.endedEntries.size, view.list({ teamId: TEAM }, { offset: 0, limit: 0 }).total]).toEqual([0, 1]);
  expect(tasks.filter(({ id }) => view.get(id) !== undefined)).toEqual([]);
  expect([...view.values()].map(({ value }) => value.id)).toEqual([open.id]);
});

async function moveAll(mover: ReturnType<Moving["mover"]>): Promise<void> {
  while (await mover.move());
}

async function runToEnd(mover: ReturnType<Moving["mover"]>, { clock }: Moving): Promise<void> {
  await moveAll(mover);
  await mover.settle();
  clock.nowMs += SETTLED_MS;
  await mover.settle();
}

function countOf(store: Store): number {
  return [TEAM, OTHER_TEAM]
    .map((teamId) => store.view.tasks.list({ teamId }, { offset: 0, limit: 0 }).total)
    .reduce((a, b) => a + b);
}

function isDue({ phase }: Task): boolean {
  return "finishedAt" in phase && phase.finishedAt <= NOW - LIMITS.afterMs;
}
