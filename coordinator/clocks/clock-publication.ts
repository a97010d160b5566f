/** What a coordinator publishes about its clock, under its lease: its time, and what it received from the others and when. */
import { z } from "zod";

/** Of another's publication: the time it has on its own monotonic clock, and for how long it was here. */
const echo = z.object({ sentMs: z.number(), heldMs: z.number() });

const publication = z.object({
  id: z.string(),
  /** Of its machine, as the two next were read. */
  wallMs: z.number(),
  /** By how much the time that it goes by is ahead of its machine's. */
  aheadMs: z.number(),
  /** Means something to itself only. */
  sentMs: z.number(),
  /** By the id of the other. */
  echoes: z.record(z.string(), echo),
  standing: z.enum(["alone", "agrees", "off", "no_majority"]),
  offsetMs: z.number(),
  known: z.number(),
  agreeing: z.number(),
  /** Whether it has the role of those that lead. */
  isCandidate: z.boolean(),
});

export type ClockPublication = z.infer<typeof publication>;

/** Null for what is none, such as a later version's. */
export function decodePublication(value: Buffer): ClockPublication | null {
  try {
    return publication.parse(JSON.parse(value.toString("utf8")));
  } catch {
    return null;
  }
}
