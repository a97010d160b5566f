/** What scheduler and fleet would do to a task, as commits. */
import { createHash } from "node:crypto";
import { SMALL_BYTES_MAX } from "../../domain/limits.ts";
import { type AttemptFailure, afterFailedAttempt } from "../../domain/retry.ts";
import { claim, succeed, type Task } from "../../domain/task.ts";
import { replace, resultBytes } from "../../store/change.ts";
import type { HttpFixture } from "./http-fixture.ts";

type Parts = Pick<HttpFixture, "store" | "blobs">;

export async function claimTask({ store }: Parts, taskId: string): Promise<void> {
  await change(store, taskId, (task) =>
    claim(task, { nodeId: "node", sessionId: "session", assignmentId: "assignment" }, Date.now()),
  );
}

/** Ends a running task with a result. */
export async function succeedTask({ store, blobs }: Parts, taskId: string, text: string): Promise<void> {
  const result = Buffer.from(text);
  const sha256 = createHash("sha256").update(result).digest("hex");
  const task = await read(store, taskId);
  const isSmall = result.length <= SMALL_BYTES_MAX;
  if (!isSmall) {
    const source = async function* () {
      yield result;
    };
    await blobs.put(task.value.teamId, source(), { bytesMax: result.length });
  }
  const where = isSmall ? "store" : "blob";
  const ended = succeed(task.value, { bytes: result.length, sha256, where }, 1500, Date.now());
  await store.commit([replace("tasks", task, ended), ...(isSmall ? [resultBytes(taskId, result)] : [])]);
}

export async function failTask({ store }: Parts, taskId: string, failure: Partial<AttemptFailure>): Promise<void> {
  const whole = {
    reason: "prover_error",
    message: "it failed",
    exitCode: null,
    logTail: "",
    runMs: 5,
    ...failure,
  } as const;
  await change(store, taskId, (task) => afterFailedAttempt(task, whole, Date.now()));
}

async function change(store: Parts["store"], taskId: string, next: (task: Task) => Task): Promise<void> {
  const before = await read(store, taskId);
  await store.commit([replace("tasks", before, next(before.value))]);
}

async function read(store: Parts["store"], taskId: string) {
  const task = await store.get("tasks", taskId);
  if (task === null) throw new Error(`no task ${taskId}`);
  return task;
}
