import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import type { FailureReason } from "../../domain/failure.ts";
import { afterFailedAttempt } from "../../domain/retry.ts";
import { beginRollOut, type RollOut, rollOutEvent, withEvents } from "../../domain/roll-out.ts";
import { claim, succeed, type Task } from "../../domain/task.ts";
import { aDeployment, aNewService, aTask } from "../../domain/testing/records.ts";
import { judgeCanary } from "./judge-canary.ts";

const service = aNewService();
const deployment = aDeployment({ serviceId: service.id });
const begun = beginRollOut(
  { id: deployment.id, serviceId: service.id, teamId: service.teamId },
  { receivedAt: 0, resolvedAt: 0 },
  null,
);
const RESULT = { bytes: 1, sha256: "a".repeat(64), where: "store" } as const;

function running(n: number): Task {
  const task = { ...aTask(service, { id: newId(n) }), canaryOf: deployment.id };
  return claim(task, { nodeId: newId(1), sessionId: newId(2), assignmentId: newId(3) }, n);
}

function failing(n: number, reason: FailureReason): Task {
  return afterFailedAttempt(running(n), { reason, message: "it broke", exitCode: 3, logTail: "tail", runMs: 1 }, n);
}

/** After a try by each of the tasks. */
function judge(...tasks: readonly Task[]) {
  const events = tasks.map(({ id }, n) => rollOutEvent("proving", n, { taskId: id }));
  const rollOut: RollOut = withEvents(begun, events);
  return judgeCanary(rollOut, (id) => tasks.find((task) => task.id === id));
}

test("starts a canary where none was started", () => {
  expect(judge()).toEqual({ kind: "start" });
});

test("waits for the canary that runs, and is content with its proof", () => {
  expect(judge(running(1))).toEqual({ kind: "running" });
  expect(judge(succeed(running(1), RESULT, 1, 2))).toEqual({ kind: "proved" });
});

test.each(["prover_error", "bad_output", "out_of_memory", "run_timeout"] as const)(
  "fails the deployment where its canary ends with %s, and leaves what the prover wrote to the task",
  (reason) => {
    const message = expect.stringMatching(/see task [0-9a-f]{32}$/);
    const failure = { step: "proving", reason, message, exitCode: 3, logTail: "" };
    expect(judge(failing(1, reason))).toEqual({ kind: "failed", failure });
  },
);

test.each(["node_lost", "cancelled"] as const)("tries again twice after %s", (reason) => {
  const lost = [failing(1, reason), failing(2, reason), failing(3, reason)];
  expect(judge(...lost.slice(0, 1))).toEqual({ kind: "start" });
  expect(judge(...lost.slice(0, 2))).toEqual({ kind: "start" });
  expect(judge(...lost)).toMatchObject({ kind: "failed", failure: { reason } });
});

test("fails where the task is gone, rather than serve unproved", () => {
  const events = [rollOutEvent("proving", 1, { taskId: newId(9) })];
  expect(judgeCanary(withEvents(begun, events), () => undefined)).toMatchObject({
    kind: "failed",
    failure: { reason: "internal" },
  });
});
