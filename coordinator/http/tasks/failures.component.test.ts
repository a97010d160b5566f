/** Every reason for which a task fails, as it comes about and as the public record shows it. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WorkloadFailure } from "../../domain/assignment.ts";
import { FAILURE_REASONS, type FailureReason } from "../../domain/failure.ts";
import { afterFailedAttempt, afterLostNode } from "../../domain/retry.ts";
import { claim, isTerminal, type Task } from "../../domain/task.ts";
import { taskSchema } from "../../public/task-record.ts";
import { cancelWithService, expireQueued, failStranded, overrun } from "../../scheduler/decide/end-open-task.ts";
import { replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;
let serviceId: string;

beforeAll(async () => {
  api = await startHttpFixture();
  serviceId = (await addReadyService(api.store, api.own)).id;
});
afterAll(() => api.close());

const ON = { nodeId: "n", sessionId: "s", assignmentId: "a" };
const SAID = { exitCode: 3, logTail: "last log line" } as const;

type Step = (task: Task) => Task;

const claimed: Step = (task) => claim(task, ON, Date.now());
const expired: Step = (task) => expireQueued(task, Date.now());
const overran: Step = (task) => overrun(claimed(task), Date.now());
const lost: Step = (task) => afterLostNode(claimed(task), Date.now());

function failed(reason: FailureReason): Step {
  return (task) => afterFailedAttempt(claimed(task), { reason, message: "it failed", runMs: 5, ...SAID }, Date.now());
}

/** Its service's workloads do not start. */
function stranded(reason: WorkloadFailure["reason"]): Step {
  return (task) => failStranded(task, { ...SAID, reason, message: "it did not start" } as WorkloadFailure, Date.now());
}

interface Expected {
  readonly step: Step;
  readonly phase: string;
  readonly retryable: boolean;
  readonly attempts: number;
  readonly message: RegExp;
  /** Whether there is somebody to say how it ended. */
  readonly says: boolean;
}

const CASES: Readonly<Record<Exclude<FailureReason, "cancelled">, Expected>> = {
  queue_timeout: {
    step: expired,
    phase: "expired",
    retryable: true,
    attempts: 0,
    message: /waited longer/,
    says: false,
  },
  start_timeout: {
    step: stranded("start_timeout"),
    phase: "timed_out",
    retryable: true,
    attempts: 0,
    message: /did not start/,
    says: true,
  },
  run_timeout: { step: overran, phase: "timed_out", retryable: false, attempts: 1, message: /ran longer/, says: false },
  prover_error: {
    step: failed("prover_error"),
    phase: "failed",
    retryable: false,
    attempts: 1,
    message: /it failed/,
    says: true,
  },
  bad_output: {
    step: failed("bad_output"),
    phase: "failed",
    retryable: false,
    attempts: 1,
    message: /it failed/,
    says: true,
  },
  out_of_memory: {
    step: failed("out_of_memory"),
    phase: "failed",
    retryable: false,
    attempts: 1,
    message: /it failed/,
    says: true,
  },
  image_unavailable: {
    step: failed("image_unavailable"),
    phase: "failed",
    retryable: true,
    attempts: 3,
    message: /it failed/,
    says: true,
  },
  node_lost: { step: lost, phase: "failed", retryable: true, attempts: 6, message: /node .* lost/, says: false },
  node_disk_full: {
    step: failed("node_disk_full"),
    phase: "failed",
    retryable: true,
    attempts: 3,
    message: /it failed/,
    says: true,
  },
  gpu_fault: {
    step: failed("gpu_fault"),
    phase: "failed",
    retryable: true,
    attempts: 3,
    message: /it failed/,
    says: true,
  },
  input_corrupt: {
    step: failed("input_corrupt"),
    phase: "failed",
    retryable: true,
    attempts: 1,
    message: /it failed/,
    says: true,
  },
  internal: {
    step: failed("internal"),
    phase: "failed",
    retryable: true,
    attempts: 3,
    message: /it failed/,
    says: true,
  },
};

async function created(): Promise<string> {
  return (await call(`${api.url}/v1/services/${serviceId}`, { key: api.own.key, body: '{"input":1}' })).json.task_id;
}

test("no reason is left out", () => {
  expect([...Object.keys(CASES), "cancelled"].sort()).toEqual([...FAILURE_REASONS].sort());
});

test.each(Object.entries(CASES))("%s", async (reason, { step, phase, retryable, attempts, message, says }) => {
  const id = await created();
  for (let tries = 0; tries < attempts + 1; tries++) {
    const before = await api.store.get("tasks", id);
    if (before === null || isTerminal(before.value.phase)) break;
    await api.store.commit([replace("tasks", before, step(before.value))]);
  }
  const response = await call(`${api.url}/v1/tasks/${id}`, { key: api.own.key });
  expect(response.json).toMatchObject({
    state: "FAILURE",
    phase,
    result: null,
    result_url: null,
    attempt: attempts,
    error: expect.stringMatching(message),
    failure: {
      reason,
      message: expect.stringMatching(message),
      retryable,
      attempts,
      exit_code: says ? 3 : null,
      log_tail: says ? "last log line" : "",
    },
  });
  expect(taskSchema.safeParse(response.json).error).toBeUndefined();
});

test("cancelled, by a client and with the service", async () => {
  const [byClient, withService] = [await created(), await created()];
  await call(`${api.url}/v1/tasks/${byClient}/cancel`, { key: api.own.key, method: "POST" });
  const task = await api.store.get("tasks", withService);
  if (task === null) throw new Error("no task");
  await api.store.commit([replace("tasks", task, cancelWithService(task.value, Date.now()))]);
  for (const [id, message] of [
    [byClient, "The task was cancelled."],
    [withService, "the service was deleted"],
  ] as const) {
    expect((await call(`${api.url}/v1/tasks/${id}`, { key: api.own.key })).json).toMatchObject({
      state: "FAILURE",
      phase: "cancelled",
      failure: { reason: "cancelled", message, retryable: false, attempts: 0, exit_code: null, log_tail: "" },
      error: message,
    });
  }
});
