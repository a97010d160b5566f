import { test } from "vitest";
import { workOnBadLines } from "../scenario/bad-agent-lines.ts";
import { slowLine } from "../scenario/bad-lines.ts";

test("a delay of 1 s, 1 s more or less, in each direction: work goes through, and no proof is repeated", async () => {
  await workOnBadLines((random) => slowLine(() => random(2_000)), { count: 50 });
});
