import { test } from "vitest";
import { workOnBadLines } from "../scenario/bad-agent-lines.ts";
import { lineThatBreaksAfter } from "../scenario/bad-lines.ts";

/** Some seconds of work. */
const BYTES = 12_000;

test("connections are reset in the middle of a message, again and again: no proof is repeated", async () => {
  await workOnBadLines(() => lineThatBreaksAfter(BYTES), { count: 3 });
});
