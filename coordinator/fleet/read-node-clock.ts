/** What a heartbeat shows of the clock of its node. */
import type { Heartbeat } from "@elastic/proto/gen/elastic/fleet/v1/fleet.ts";
import { type ClockReading, readEcho } from "../clocks/clock-reading.ts";

/** Null from an agent that does not send it, or where another acknowledgement than the last was received. */
export function readNodeClock(
  { wallUnixMs, acknowledgedSequence, acknowledgedMsAgo: heldMs }: Heartbeat,
  acknowledged: { readonly sequence: bigint; readonly sentMs: number } | null,
  receivedMs: number,
): ClockReading | null {
  if (wallUnixMs === 0n || acknowledged?.sequence !== acknowledgedSequence) return null;
  return readEcho({ wallMs: Number(wallUnixMs), sentMs: acknowledged.sentMs, heldMs, receivedMs });
}
