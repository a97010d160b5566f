import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { FailureReason } from "../../domain/failure.ts";
import type { TaskFilter, TaskPhaseKind } from "../store.ts";
import { type Listed, type ListedAs, ListedAsBook } from "./listed-as.ts";
import { TaskIndex } from "./task-index.ts";

const PHASES: readonly TaskPhaseKind[] = ["queued", "running", "succeeded", "failed", "cancelled"];

const REASONS: readonly FailureReason[] = ["prover_error", "internal", "cancelled"];

interface Known extends Listed {
  readonly id: string;
  readonly at: number;
}

const known: fc.Arbitrary<Known> = fc
  .record({
    at: fc.nat({ max: 50 }),
    teamId: fc.constantFrom("t1", "t2"),
    serviceId: fc.constantFrom("s1", "s2"),
    phase: fc.constantFrom(...PHASES),
    anyReason: fc.constantFrom(...REASONS),
  })
  .map(({ anyReason, ...task }) => ({
    ...task,
    id: newId(task.at),
    reason: task.phase === "failed" ? anyReason : task.phase === "cancelled" ? "cancelled" : null,
  }));

const bounds = {
  teamId: fc.constantFrom("t1", "t2", "t3"),
  serviceId: fc.constantFrom("s1", "s2"),
  createdFrom: fc.nat({ max: 60 }),
  createdBefore: fc.nat({ max: 60 }),
  idPrefix: fc.nat({ max: 60 }).map((at) => newId(at).slice(0, 12)),
};
const filter: fc.Arbitrary<TaskFilter> = fc.oneof(
  fc.record({ ...bounds, phases: fc.subarray([...PHASES]) }, { requiredKeys: ["teamId"] }),
  fc.record({ ...bounds, reason: fc.constantFrom(...REASONS) }, { requiredKeys: ["teamId", "reason"] }),
);

function fits(task: Known, wanted: TaskFilter): boolean {
  const { teamId, serviceId, phases, reason, createdFrom, createdBefore, idPrefix = "" } = wanted;
  return (
    task.teamId === teamId &&
    (serviceId === undefined || task.serviceId === serviceId) &&
    (phases === undefined || phases.includes(task.phase)) &&
    (reason === undefined || task.reason === reason) &&
    task.id.startsWith(idPrefix) &&
    (createdFrom === undefined || task.at >= createdFrom) &&
    (createdBefore === undefined || task.at < createdBefore)
  );
}

const book = new ListedAsBook();

function listedAs({ teamId, serviceId, phase, reason }: Listed): ListedAs {
  return book.of(teamId, serviceId, phase, reason);
}

test("a list has what fits its filter, newest first, whatever page of it is requested", () => {
  const page = fc.record({ offset: fc.nat({ max: 80 }), limit: fc.nat({ max: 20 }), cursor: fc.nat({ max: 200 }) });
  fc.assert(
    fc.property(fc.array(known, { maxLength: 200 }), filter, page, (tasks, wanted, { offset, limit, cursor }) => {
      const index = new TaskIndex();
      for (const task of tasks) index.add(task.id, listedAs(task));
      const all = tasks.filter((task) => fits(task, wanted)).map(({ id }) => id);
      const newest = all.toSorted().toReversed();
      const first = { ids: newest.slice(offset, offset + limit), total: newest.length };
      expect(index.list(wanted, { offset, limit })).toEqual(first);
      const olderThan = tasks[cursor]?.id;
      if (olderThan === undefined) return;
      const older = newest.filter((id) => id < olderThan).slice(offset, offset + limit);
      expect(index.list(wanted, { offset, limit, olderThan })).toEqual({ ids: older, total: newest.length });
    }),
    { numRuns: 500 },
  );
});

test("a task that changes its phase changes lists, and one that is deleted is in none", () => {
  const owners = ["t1", "t2"].flatMap((teamId) => [
    { teamId },
    { teamId, serviceId: "s1" },
    { teamId, serviceId: "s2" },
  ]);
  fc.assert(
    fc.property(fc.array(known, { minLength: 1, maxLength: 50 }), fc.constantFrom(...PHASES), (tasks, phase) => {
      const index = new TaskIndex();
      const after = tasks.map((task) =>
        task.phase === phase ? task : { ...task, phase, reason: phase === "failed" ? ("node_lost" as const) : null },
      );
      for (const task of tasks) index.add(task.id, listedAs(task));
      for (const [n, task] of tasks.entries()) index.move(task.id, listedAs(task), listedAs(after[n] ?? task));
      for (const of of owners) {
        const total = (more: Partial<TaskFilter>) => index.list({ ...of, ...more }, { offset: 0, limit: 0 }).total;
        expect(index.list({ ...of, phases: [phase] }, { offset: 0, limit: 100 }).ids).toHaveLength(total({}));
        expect(total({ phases: PHASES })).toBe(total({}));
        for (const reason of [...REASONS, "node_lost"] as const) {
          const expected = after.filter((task) => fits(task, { ...of, reason }));
          expect(total({ reason })).toBe(expected.length);
        }
      }
      for (const task of after) index.delete(task.id, listedAs(task));
      for (const of of owners) expect(index.list(of, { offset: 0, limit: 9 }).total).toBe(0);
    }),
  );
});

test("a page deep in lists of a hundred thousand is found at once", () => {
  const index = new TaskIndex();
  const ids = Array.from({ length: 100_000 }, (_, n) => newId(n));
  for (const [n, id] of ids.entries()) {
    index.add(id, book.of("t", "s", PHASES[n % PHASES.length] ?? "queued", null));
  }
  const startMs = performance.now();
  for (let n = 0; n < 100; n++) {
    const page = index.list({ teamId: "t", phases: PHASES }, { offset: 99_900 - n, limit: 1 });
    expect(page.ids).toEqual([ids[99 + n]]);
  }
  // A tenth of a millisecond each; steps through all that is above would take seconds.
  expect(performance.now() - startMs).toBeLessThan(1_000);
});
