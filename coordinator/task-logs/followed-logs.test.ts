import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openFileTaskLogs } from "./file-task-logs.ts";
import { followedLogs } from "./followed-logs.ts";

const dir = mkdtempSync(join(tmpdir(), "followed-logs-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("notifies each listener of a task of its logs until the listener stops, and of no other task's", async () => {
  const logs = followedLogs(openFileTaskLogs(dir));
  const of = (digit: string) => ({ teamId: "f".repeat(32), taskId: digit.repeat(32), attempt: 1 });
  const notified: string[] = [];
  const stopFirst = logs.listen(of("a").taskId, () => notified.push("first"));
  const stopSecond = logs.listen(of("a").taskId, () => notified.push("second"));
  await logs.append(of("a"), 0, Buffer.from("x"));
  await logs.append(of("b"), 0, Buffer.from("x"));
  stopFirst();
  await logs.complete(of("a"));
  stopSecond();
  logs.listen(of("a").taskId, () => notified.push("third"));
  stopSecond();
  await logs.append(of("a"), 0, Buffer.from("x"));
  expect(notified).toEqual(["first", "second", "second", "third"]);
});
