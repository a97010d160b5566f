import { BUILD_FAILURE_ADVICE } from "@elastic/proto/build-failure-advice.ts";
import { BUILD_FAILURE_REASONS, type BuildFailureReason } from "@elastic/proto/failure-reasons.ts";
import { describe, expect, test } from "vitest";
import type { BuildRecord } from "../api/records.ts";
import { nextAfter } from "./build-advice.ts";

function nextOf(reason: BuildFailureReason): string {
  const failure = { reason, message: "m", line: null };
  return nextAfter({ build_id: "ab", failure } as Pick<BuildRecord, "build_id" | "failure">);
}

describe("advice on a failed build", () => {
  test.each(BUILD_FAILURE_REASONS)("states the advice and a command for %s", (reason) => {
    expect(nextOf(reason)).toContain(BUILD_FAILURE_ADVICE[reason] ?? "");
    expect(nextOf(reason)).toMatch(/`elastic build (logs|retry) ab`/);
  });

  test("names a retry only where the same source may have another end", () => {
    expect(nextOf("node_lost")).toMatch(/Try again\. `elastic build retry ab`/);
    expect(nextOf("build_failed")).toMatch(/`elastic build logs ab` shows what it wrote\.$/);
    expect(nextOf("base_image_unavailable")).not.toContain("retry");
  });

  test("survives a reason that this version does not know", () => {
    expect(nextOf("later" as BuildFailureReason)).toBe("`elastic build logs ab` shows what it wrote.");
  });

  test("of a cancelled build says how to see its log and how to build it after all", () => {
    const next = nextAfter({ build_id: "ab", failure: null });
    expect(next).toBe(
      "`elastic build logs ab` shows what it wrote; `elastic build retry ab` builds the same source again.",
    );
  });
});
