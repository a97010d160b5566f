/** Checks the clock against the coordinators': certificates are believed by it. */

import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import { clockComplaint } from "../enrollment/certificate-times.ts";

/** `coordinatorsMs` is what a coordinator said that it is, a moment ago; null where none said. */
export function checkClock(ownMs: number, coordinatorsMs: number | null): Check {
  if (coordinatorsMs === null) {
    const own = new Date(ownMs).toISOString();
    return warn("clock", `${own}; no coordinator responded, to compare it with`, "compare it with another clock");
  }
  const complaint = clockComplaint(ownMs, coordinatorsMs);
  if (complaint === null) return ok("clock", "as the coordinators'");
  const [finding = "", remedy = ""] = complaint.split(": ");
  return fail("clock", finding, `${remedy}: certificates begin and end by it`);
}
