import { describe, expect, test } from "vitest";
import { buildAdvice } from "../../console/src/builds/build-advice.ts";
import type { BuildRecord } from "../api/records.ts";
import { ADVICE, nextAfter } from "./build-advice.ts";

type Reason = keyof typeof ADVICE;

function nextOf(reason: Reason): string {
  const failure = { reason, message: "m", line: null };
  return nextAfter({ build_id: "ab", failure } as Pick<BuildRecord, "build_id" | "failure">);
}

describe("advice on a failed build", () => {
  test.each(Object.keys(ADVICE) as Reason[])("is the console's for %s", (reason) => {
    expect(ADVICE[reason]).toBe(buildAdvice(reason, { repository: null }));
    expect(nextOf(reason)).toContain(ADVICE[reason] ?? "`elastic build");
  });

  test("names a retry only where the same source may have another end", () => {
    expect(nextOf("node_lost")).toMatch(/Try again\. `elastic build retry ab`/);
    expect(nextOf("build_failed")).toMatch(/`elastic build logs ab` shows what it wrote\.$/);
    expect(nextOf("base_image_unavailable")).not.toContain("retry");
  });

  test("survives a reason that this version does not know", () => {
    expect(nextOf("later" as Reason)).toBe("`elastic build logs ab` shows what it wrote.");
  });

  test("of a cancelled build says how to see its log and how to build it after all", () => {
    const next = nextAfter({ build_id: "ab", failure: null });
    expect(next).toBe(
      "`elastic build logs ab` shows what it wrote; `elastic build retry ab` builds the same source again.",
    );
  });
});
