/**
 * Reads a client no faster than others can bear: after packets that took long all others have their turn, and what a
 * client sends waits while it leaves too much of what it was sent unread, since many packets require a response.
 */
import type { Socket } from "node:net";
import { READING_TURN_MS, UNTAKEN_BYTES_MAX } from "./limits.ts";

/** For a socket whose packets the library takes as they come: it is done with them when the last listener is called. */
export function readInTurns(socket: Socket): void {
  let beganAtMs = 0;
  const resume = () => socket.resume();
  socket.prependListener("data", () => {
    beganAtMs = performance.now();
  });
  socket.on("data", () => {
    const isFull = socket.writableLength > UNTAKEN_BYTES_MAX;
    if (!isFull && performance.now() - beganAtMs < READING_TURN_MS) return;
    socket.pause();
    if (isFull) socket.once("drain", resume);
    else setImmediate(resume);
  });
}
