/**
 * The least pace at which a large body must come, and when it must begin to. Some of what is counted is counted before
 * any of it is there, so one that is never sent would keep others out until its time is over.
 */
import type { IncomingMessage } from "node:http";
import { declaredBytes, FREE_BYTES } from "./body-budget.ts";

export interface BodyPace {
  readonly firstByteWithinMs: number;
  readonly bytesPerSecond: number;
  /** Measured over so long, twice: a line that stands still for less is not cut. */
  readonly overMs: number;
}

/** Below any line that sends 10 MB within the time that a body has. */
export const PACE: BodyPace = { firstByteWithinMs: 5_000, bytesPerSecond: 4 * 1024, overMs: 10_000 };
const SLOW_IN_A_ROW = 2;

/** Calls `cut` when the body comes too slowly. Returns how to stop. */
export function watchPace(raw: IncomingMessage, pace: BodyPace, cut: () => void): () => void {
  if (declaredBytes(raw) <= FREE_BYTES) return () => undefined;
  const { firstByteWithinMs, bytesPerSecond, overMs } = pace;
  const { socket } = raw;
  let seen = socket.bytesRead;
  const first = setTimeout(() => {
    if (!raw.readableDidRead && raw.readableLength === 0) stopAndCut();
  }, firstByteWithinMs);
  let slow = 0;
  const timer = setInterval(() => {
    const came = socket.bytesRead - seen;
    seen = socket.bytesRead;
    // The client is not to blame for what waits here.
    const isHeldUpHere = raw.readableLength >= raw.readableHighWaterMark;
    slow = isHeldUpHere || came >= (bytesPerSecond * overMs) / 1_000 ? 0 : slow + 1;
    if (slow < SLOW_IN_A_ROW) return;
    stopAndCut();
  }, overMs);
  const stop = () => {
    clearTimeout(first);
    clearInterval(timer);
  };
  const stopAndCut = () => {
    stop();
    cut();
  };
  return stop;
}
