import { COORDINATOR_FAILURE_REASONS, FAILURE_REASONS } from "@elastic/proto/failure-reasons.ts";
import { expect, test } from "vitest";
import { readFailure } from "./read-failure.ts";

const reasonRead = (reason: string): string =>
  readFailure({ reason, message: "it failed", logTail: "" })?.reason ?? "refused";
const coordinators: readonly string[] = COORDINATOR_FAILURE_REASONS;

test.each(FAILURE_REASONS.filter((reason) => !coordinators.includes(reason)))(
  "reads the reason %s of an agent as it is",
  (reason) => expect(reasonRead(reason)).toBe(reason),
);

test.each(COORDINATOR_FAILURE_REASONS)(
  "reads %s of an agent as internal, since only coordinators decide it",
  (reason) => expect(reasonRead(reason)).toBe("internal"),
);

test("refuses a reason that is not in the contract: a later version may know what follows from it", () => {
  expect(reasonRead("solar_flare")).toBe("refused");
});
