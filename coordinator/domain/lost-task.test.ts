import { expect, test } from "vitest";
import { LOST_TASKS_MAX, lostTasksShare } from "./lost-task.ts";

test("leaves room in the list for the tasks of other nodes, and all of it to a single node", () => {
  expect([0, 1, 2, 4, 10, 1_000].map(lostTasksShare)).toEqual([
    LOST_TASKS_MAX,
    LOST_TASKS_MAX,
    5_000,
    2_500,
    1_000,
    1_000,
  ]);
});
