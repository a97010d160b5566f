import { expect, test } from "vitest";
import { FAILURE_REASONS, failureAdvice } from "./failure-advice.ts";

test("advises on every reason in sentences", () => {
  expect(FAILURE_REASONS).toHaveLength(13);
  for (const reason of FAILURE_REASONS) {
    const { title, ofTask, ofDeployment } = failureAdvice(reason);
    expect(title).toMatch(/^[A-Z][^.]+$/);
    for (const text of [ofTask, ofDeployment]) expect(text).toMatch(/^[A-Z].*\.$/);
  }
});

test("offers to run again only where another attempt may succeed", () => {
  const again = FAILURE_REASONS.filter((reason) => failureAdvice(reason).next === "run again");
  expect(again).toEqual(["cancelled", "node_lost", "input_corrupt", "node_disk_full", "gpu_fault", "internal"]);
});
