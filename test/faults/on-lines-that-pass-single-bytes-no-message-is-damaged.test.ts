import { test } from "vitest";
import { workOnBadLines } from "../scenario/bad-agent-lines.ts";
import { lineOfSingleBytes } from "../scenario/bad-lines.ts";

test("every byte apart from the one before: work goes through, and no proof is repeated", async () => {
  await workOnBadLines(lineOfSingleBytes, { count: 10_000, callers: 2 });
});
