/** Judges what running coordinators publish about the clocks of their machines. */
import { type Check, ok, warn } from "@elastic/std/check.ts";
import type { ClockPublication } from "../clocks/clock-publication.ts";
import { describeClock } from "../clocks/describe-clock.ts";

/** `addressOf`: where agents reach a coordinator; null for one that they do not. */
export function checkClocks(
  publications: readonly ClockPublication[],
  addressOf: (coordinatorId: string) => string | null,
): readonly Check[] {
  return publications.map((publication) => {
    const name = `coordinator ${addressOf(publication.id) ?? publication.id}`;
    const complaint = describeClock(publication);
    if (complaint !== null) return warn("clocks", `${name}: ${complaint}`, "docs/operators.md, Clocks");
    const { standing, agreeing, known } = publication;
    if (standing === "alone") return ok("clocks", `${name}: no other clock is known`);
    return ok("clocks", `${name}: agrees, as ${agreeing} of ${known} clocks do`);
  });
}
