import type { FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { expectTypeOf, test } from "vitest";
import type { FailureReason, TaskFailure } from "./task-failure.ts";

test("the reasons are those of the service, and each narrows the failure", () => {
  expectTypeOf<FailureReason>().toEqualTypeOf<(typeof FAILURE_REASONS)[number]>();
  expectTypeOf<TaskFailure["reason"]>().toEqualTypeOf<FailureReason>();
  expectTypeOf<Extract<TaskFailure, { reason: "cancelled" }>["reason"]>().toEqualTypeOf<"cancelled">();
});
