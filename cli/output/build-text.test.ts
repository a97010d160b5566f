import { expect, test } from "vitest";
import type { BuildRecord } from "../api/records.ts";
import { buildLines } from "./build-text.ts";

const NOW = Date.parse("2026-11-21T10:02:00Z");

function rowOf(build: Partial<BuildRecord>): string {
  const record = {
    build_id: "ab",
    phase: "queued",
    created: "2026-11-21T10:00:00",
    started: null,
    finished: null,
    image_bytes: null,
    image_tag: "v1",
    repository: null,
    failure: null,
    waiting_for: null,
    reused_from: null,
    stages: [{ name: "build", seconds: 4 }],
    ...build,
  } as BuildRecord;
  return buildLines([record], NOW).split("\n")[1]?.replace(/ +/g, " ") ?? "";
}

test("the seconds of a build are those from its start to its end, or to now", () => {
  const started = "2026-11-21T10:00:30";
  expect(rowOf({ phase: "succeeded", started, finished: "2026-11-21T10:01:10" })).toContain("10:00:00 40 v1");
  expect(rowOf({ phase: "cancelled", started, finished: "2026-11-21T10:00:33" })).toContain("10:00:00 3 v1");
  expect(rowOf({ phase: "running", started })).toContain("10:00:00 90 v1");
  expect(rowOf({ phase: "queued" })).toContain("10:00:00 v1");
});

test("a build of a repository names branch and commit as people do", () => {
  const repository = { ref: "refs/heads/main", commit: null } as NonNullable<BuildRecord["repository"]>;
  expect(rowOf({ repository })).toMatch(/ v1 main$/);
  expect(rowOf({ repository: { ...repository, commit: "0123456789".repeat(4) } })).toMatch(/ v1 main 0123456$/);
});
