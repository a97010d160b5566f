import { expect, test } from "vitest";
import type { TaskRecord } from "../api/records.ts";
import { taskText } from "./task-text.ts";

function textWith(progress: TaskRecord["progress"]): string {
  const task = { service_name: "s", task_id: "t", state: "PENDING", result_url: null, progress };
  return taskText(task as TaskRecord);
}

test("a running task tells how far it is, in its prover's words, and any other has no such line", () => {
  expect(textWith(null)).toBe("service name: s\ntask id: t\nstate: PENDING\nresult url: -");
  expect(textWith({ fraction: 0.4567, message: "folding step 3 of 7" })).toMatch(
    /\nprogress: 45 %, folding step 3 of 7$/,
  );
  expect(textWith({ fraction: 1, message: "" })).toMatch(/\nprogress: 100 %$/);
});
