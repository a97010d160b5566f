import { expect, test } from "vitest";
import { buildsToForget, cancelled, failed, imageOf, requeued, reused, running, succeeded, waiting } from "./build.ts";
import { aBuild } from "./testing/records.ts";

const PLACE = { assignmentId: "a", nodeId: "n" };
const IMAGE = { digest: `sha256:${"d".repeat(64)}`, imageBytes: 9 };
const FAILURE = { reason: "build_failed", message: "no", line: 3 } as const;

test("runs, is requeued and succeeds, and keeps when it first began", () => {
  const first = running(waiting(aBuild(), "a machine"), PLACE, 10);
  expect(first).toMatchObject({ runs: 1, startedAt: 10, nodeId: "n", state: { kind: "running", since: 10 } });
  const second = running(requeued(first, 20), { assignmentId: "b", nodeId: "m" }, 30);
  expect(second).toMatchObject({ runs: 2, startedAt: 10, nodeId: "m", stages: [] });
  const done = succeeded(second, IMAGE, 40);
  expect([imageOf(second), imageOf(done)]).toEqual([null, `${done.repository}@${IMAGE.digest}`]);
});

test("stays as it ended", () => {
  const ends = [succeeded(aBuild(), IMAGE, 1), failed(aBuild(), FAILURE, 1), cancelled(aBuild(), 1)];
  for (const ended of ends) {
    expect(cancelled(ended, 2)).toBe(ended);
    expect(() => running(ended, PLACE, 2)).toThrow();
    expect(() => requeued(ended, 2)).toThrow();
    expect(() => failed(ended, FAILURE, 2)).toThrow();
    expect(() => waiting(ended, null)).toThrow();
  }
});

test("has the image of the build that it reuses, and of no other than one with an image", () => {
  const earlier = succeeded(aBuild({ repository: "r/x", tag: "old" }), IMAGE, 1);
  const later = reused(aBuild(), earlier, 5);
  expect(later).toMatchObject({ reusedFrom: earlier.id, tag: "old", state: { kind: "succeeded", since: 5 } });
  expect(imageOf(later)).toBe(imageOf(earlier));
  expect(() => reused(aBuild(), aBuild(), 5)).toThrow();
});

test("forgets what ended a month ago or is beyond the newest hundred, and nothing open", () => {
  const month = 30 * 24 * 3_600_000;
  const old = failed(aBuild({ createdAt: 1 }), FAILURE, 10);
  const open = aBuild({ createdAt: 0 });
  const recent = Array.from({ length: 101 }, (_, at) => failed(aBuild({ createdAt: 100 + at }), FAILURE, month));
  expect(buildsToForget([old, open], month + 11)).toEqual([old]);
  expect(buildsToForget([old, open], month + 10)).toEqual([]);
  expect(buildsToForget([...recent, open], month)).toEqual([recent[0]]);
});
