import { expect, test } from "vitest";
import type { TaskRecord } from "../api/records.ts";
import { taskDetailText, taskText } from "./task-text.ts";

function textWith(progress: TaskRecord["progress"]): string {
  const task = { service_name: "s", task_id: "t", state: "PENDING", result_url: null, progress };
  return taskText(task as TaskRecord);
}

test("shows how far a running task is, in its prover's words, and any other has no such line", () => {
  expect(textWith(null)).toBe("service name: s\ntask id: t\nstate: PENDING\nresult url: -");
  expect(textWith({ fraction: 0.4567, message: "folding step 3 of 7" })).toMatch(
    /\nprogress: 45 %, folding step 3 of 7$/,
  );
  expect(textWith({ fraction: 1, message: "" })).toMatch(/\nprogress: 100 %$/);
});

test("the detail of a queued task shows why it waits, and that of any other has no such line", () => {
  const task = { service_name: "s", task_id: "t", state: "PENDING", phase: "queued", failure: null } as TaskRecord;
  const waiting = { reason: "no_such_gpu", message: "no machine of the fleet has 1 GPU of H200" } as const;
  expect(taskDetailText({ ...task, waiting })).toContain(
    "\nwaiting: no_such_gpu: no machine of the fleet has 1 GPU of H200\n",
  );
  expect(taskDetailText({ ...task, waiting: null })).not.toContain("waiting");
});
