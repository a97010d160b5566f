import { expect, test } from "vitest";
import { claim, succeed, type Task } from "../domain/task.ts";
import { aTask } from "../domain/testing/records.ts";
import type { RecordChange } from "../store/store.ts";
import { ProgressBoard } from "./progress-board.ts";

test("returns the latest report of an attempt, and nothing of another attempt", () => {
  const board = new ProgressBoard();
  board.set("t", 1, { fraction: 0.2, message: "one" });
  board.set("t", 1, { fraction: 0.5, message: "two" });
  expect(board.get("t", 1)).toEqual({ fraction: 0.5, message: "two" });
  expect(board.get("t", 2)).toBeNull();
  expect(board.get("u", 1)).toBeNull();
});

test("a fraction is moved within 0 to 1, and what is none is not taken", () => {
  const board = new ProgressBoard();
  board.set("t", 1, { fraction: 7, message: "" });
  board.set("u", 1, { fraction: Number.NEGATIVE_INFINITY, message: "" });
  board.set("v", 1, { fraction: Number.NaN, message: "" });
  expect([board.get("t", 1)?.fraction, board.get("u", 1)?.fraction, board.get("v", 1)]).toEqual([1, 0, null]);
});

test("a long message is cut, and never within a character", () => {
  const board = new ProgressBoard();
  board.set("t", 1, { fraction: 0, message: `${"x".repeat(499)}🙂` });
  const message = board.get("t", 1)?.message ?? "";
  expect(message).toHaveLength(500);
  expect(message.isWellFormed()).toBe(true);
});

test("holds a bounded number of reports, and drops the oldest", () => {
  const board = new ProgressBoard(2);
  for (const id of ["a", "b", "a", "c"]) board.set(id, 1, { fraction: 0, message: id });
  expect([board.get("a", 1)?.message, board.get("b", 1), board.get("c", 1)?.message]).toEqual(["a", null, "c"]);
  expect(board.size).toBe(2);
});

test("forgets a task that no longer runs", () => {
  let notify: (change: RecordChange<Task>) => void = () => undefined;
  const board = new ProgressBoard();
  board.follow({
    subscribe: (listener) => {
      notify = listener;
      return () => undefined;
    },
  });
  const queued = aTask({ id: "s" }, {});
  const running = claim(queued, { nodeId: "n", sessionId: "s", assignmentId: "a" }, 1);
  const ended = succeed(running, { bytes: 0, sha256: "", where: "store" }, 1, 2);
  const { id } = queued;
  notify({ id, revision: 1, before: undefined, after: { value: running, revision: 1 } });
  board.set(id, 1, { fraction: 0.5, message: "" });
  notify({ id, revision: 1, before: undefined, after: { value: running, revision: 1 } });
  expect(board.get(id, 1)).not.toBeNull();
  notify({ id, revision: 2, before: undefined, after: { value: ended, revision: 2 } });
  expect(board.size).toBe(0);
});
