/**
 * The least pace at which a large body must come. What its head declares is counted before any of it is there, so one
 * that is never sent would keep others out until its time is over.
 */
import type { IncomingMessage } from "node:http";
import { FREE_BYTES } from "./body-budget.ts";

export interface BodyPace {
  readonly bytesPerSecond: number;
  /** Measured over so long, twice: a line that stands still for less is not cut. */
  readonly overMs: number;
}

/** Below any line that sends 10 MB within the time that a body has. */
export const PACE: BodyPace = { bytesPerSecond: 4 * 1024, overMs: 10_000 };
const SLOW_IN_A_ROW = 2;

/** Calls `cut` when the body comes too slowly. Answers how to stop. */
export function watchPace(raw: IncomingMessage, { bytesPerSecond, overMs }: BodyPace, cut: () => void): () => void {
  if (Number(raw.headers["content-length"] ?? Number.POSITIVE_INFINITY) <= FREE_BYTES) return () => undefined;
  const { socket } = raw;
  let seen = socket.bytesRead;
  let slow = 0;
  const timer = setInterval(() => {
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // What waits here is not the client's to answer for.
    const isHeldUpHere = raw.readableLength >= raw.readableHighWaterMark;
    slow = isHeldUpHere || came >= (bytesPerSecond * overMs) / 1_000 ? 0 : slow + 1;
    if (slow < SLOW_IN_A_ROW) return;
    clearInterval(timer);
    cut();
  }, overMs);
  return () => clearInterval(timer);
}
