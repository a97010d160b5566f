import fc from "fast-check";
import { expect, test } from "vitest";
import { FAILURE_REASONS, phaseOf } from "./failure.ts";
import { afterFailedAttempt, afterLostNode, INFRASTRUCTURE_ATTEMPTS_MAX, NODE_LOSSES_MAX } from "./retry.ts";
import { claim, end, isTerminal, queue, succeed, type Task } from "./task.ts";
import { aTask } from "./testing/records.ts";
import { eventsOf } from "./timeline.ts";

const ON = { nodeId: "node-a", sessionId: "session-1", assignmentId: "a".repeat(32) };
const RESULT = { bytes: 1, sha256: "0".repeat(64), where: "store" } as const;

const step = fc.oneof(
  fc.record({ kind: fc.constant("claim" as const), node: fc.constantFrom("a", "b", "c") }),
  fc.record({ kind: fc.constant("succeed" as const) }),
  fc.record({ kind: fc.constant("fail" as const), reason: fc.constantFrom(...FAILURE_REASONS) }),
  fc.record({ kind: fc.constant("lose" as const) }),
);
const life = fc.array(
  fc.record({ step, afterMs: fc.integer({ min: -10_000, max: 10_000 }), runMs: fc.integer({ min: -5, max: 1e12 }) }),
  { maxLength: 40 },
);
const retries = fc.integer({ min: 0, max: 5 });

type Life = typeof life extends fc.Arbitrary<infer T> ? T : never;

/** Plays every step that the phase allows, and shows each record to `look`. */
function lifeOf(steps: Life, proverRetries: number, look: (task: Task) => void): Task {
  let task = aTask({ id: "5".repeat(32) }, { proverRetries });
  let now = task.createdAt;
  for (const { step, afterMs, runMs } of steps) {
    now += afterMs;
    if (task.phase.kind === "queued" && step.kind === "claim") task = claim(task, { ...ON, nodeId: step.node }, now);
    else if (task.phase.kind !== "running") continue;
    else if (step.kind === "succeed") task = succeed(task, RESULT, runMs, now);
    else if (step.kind === "lose") task = afterLostNode(task, now);
    else if (step.kind === "fail") {
      task = afterFailedAttempt(task, { reason: step.reason, message: "m", exitCode: 1, logTail: "", runMs }, now);
    }
    look(task);
  }
  return task;
}

test("attempts are bounded whatever happens, and a lost node costs none up to five", () => {
  fc.assert(
    fc.property(life, retries, (steps, proverRetries) => {
      const { attempts } = lifeOf(steps, proverRetries, () => undefined);
      expect(attempts.infrastructure).toBeLessThanOrEqual(INFRASTRUCTURE_ATTEMPTS_MAX);
      expect(attempts.lost).toBeLessThanOrEqual(NODE_LOSSES_MAX + 1);
      expect(attempts.prover).toBeLessThanOrEqual(proverRetries + 1);
      const bound = INFRASTRUCTURE_ATTEMPTS_MAX + NODE_LOSSES_MAX + proverRetries + 1;
      expect(attempts.started).toBeLessThanOrEqual(bound);
    }),
  );
});

test("an ended task absorbs: no transition leaves it", () => {
  fc.assert(
    fc.property(life, retries, (steps, proverRetries) => {
      const task = lifeOf(steps, proverRetries, () => undefined);
      if (!isTerminal(task.phase)) return;
      expect(() => claim(task, ON, 1)).toThrow();
      expect(() => succeed(task, RESULT, 1, 1)).toThrow();
      expect(() => afterLostNode(task, 1)).toThrow();
      const failure = {
        reason: "internal",
        message: "",
        retryable: true,
        attempts: 1,
        exitCode: null,
        logTail: "",
      } as const;
      expect(() => end(task, "failed", failure, null, 1)).toThrow();
    }),
  );
});

test("created, started and finished stand in that order, however clocks step", () => {
  fc.assert(
    fc.property(life, retries, (steps, proverRetries) => {
      lifeOf(steps, proverRetries, ({ createdAt, phase }) => {
        if (!isTerminal(phase)) return;
        expect(phase.finishedAt).toBeGreaterThanOrEqual(createdAt);
        if (phase.startedAt === null) return;
        expect(phase.startedAt).toBeGreaterThanOrEqual(createdAt);
        expect(phase.startedAt).toBeLessThanOrEqual(phase.finishedAt);
      });
    }),
  );
});

test("the phase of a task without success is that of its reason", () => {
  fc.assert(
    fc.property(life, retries, (steps, proverRetries) => {
      const { phase } = lifeOf(steps, proverRetries, () => undefined);
      if (!isTerminal(phase) || phase.kind === "succeeded") return;
      expect(phase.kind).toBe(phaseOf(phase.failure.reason));
    }),
  );
});

test("attempts are numbered from one, without a gap", () => {
  let task = aTask({ id: "5".repeat(32) });
  for (const number of [1, 2, 3]) {
    task = claim(task, ON, 10);
    expect(task.phase).toMatchObject({ kind: "running", attempt: number });
    if (number < 3) task = afterLostNode(task, 20);
  }
});

test("a new task waits from its creation", () => {
  const { phase, attempts, avoidNodeIds, timeline, ...rest } = aTask({ id: "5".repeat(32) }, { createdAt: 77 });
  expect(queue(rest)).toEqual({ ...rest, phase, attempts, avoidNodeIds, timeline });
  expect(phase).toEqual({ kind: "queued", since: 77, lastFailure: null });
});

test("lists what happened to a task in order in its timeline, and never changes an entry", () => {
  fc.assert(
    fc.property(life, retries, (steps, proverRetries) => {
      let before = aTask({ id: "5".repeat(32) }).timeline;
      lifeOf(steps, proverRetries, (task) => {
        expect(task.timeline.slice(0, before.length)).toEqual(before);
        expect(task.timeline.length - before.length).toBeLessThanOrEqual(1);
        before = task.timeline;
        const events = eventsOf(task.timeline);
        expect(events.map(({ at }) => at)).toEqual(events.map(({ at }) => at).toSorted((a, b) => a - b));
        const { event: last, attempt } = events.at(-1) ?? {};
        const { phase } = task;
        const wanted = { queued: "requeued", running: "started" } as const;
        expect(last).toBe(phase.kind === "queued" || phase.kind === "running" ? wanted[phase.kind] : phase.kind);
        expect(attempt).toBe(task.attempts.started);
      });
    }),
  );
});
