import { expect, test } from "vitest";
import { buildDuration } from "./build-duration.ts";

const STARTED = "2026-11-24T10:00:00";
const NOW = Date.parse("2026-11-24T10:02:05Z");

test.each([
  ["that waits", { phase: "queued", started: null, finished: null }, null],
  ["that runs, so far", { phase: "running", started: STARTED, finished: null }, "2 min 5 s"],
  ["that has ended", { phase: "succeeded", started: STARTED, finished: "2026-11-24T10:01:00" }, "1 min"],
  [
    "that was superseded while it ran",
    { phase: "cancelled", started: STARTED, finished: "2026-11-24T10:00:07" },
    "7 s",
  ],
  ["that ended before it ran", { phase: "cancelled", started: null, finished: STARTED }, null],
  ["of a browser whose clock is late", { phase: "running", started: "2026-11-24T10:03:00", finished: null }, "0 s"],
  ["that has an earlier image", { phase: "succeeded", started: STARTED, finished: STARTED, reused_from: "1" }, null],
] as const)("is the time of a build %s", (_, build, text) => {
  expect(buildDuration({ reused_from: null, ...build }, NOW)).toBe(text);
});
