/**
 * What a connection begins with: a ticket on a line, or SSH. Nothing of what follows is lost. A client that waits for the
 * gateway's first line sends nothing, and gets that line after a moment.
 */
import type { Socket } from "node:net";
import { PREFACE_BYTES_MAX, PREFACE_WAIT_MS } from "./limits.ts";

const TICKET = Buffer.from("elastic-ticket ");
const LINE_FEED = 10;

/** Resolves with the ticket's text, or with null for a client that speaks SSH. Nothing is read from then on. */
export async function readPreface(socket: Socket): Promise<string | null> {
  const first = Promise.withResolvers<string | null>();
  let received: Buffer = Buffer.alloc(0);
  const decide = (text: string | null, rest: Buffer): void => {
    clearTimeout(silent);
    socket.off("data", onData).off("end", onSpeaks).off("close", onSpeaks).pause();
    if (rest.length > 0) socket.unshift(rest);
    first.resolve(text);
  };
  const onSpeaks = () => decide(null, received);
  const onData = (bytes: Buffer): void => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes]);
    const known = Math.min(received.length, TICKET.length);
    const end = received.subarray(0, PREFACE_BYTES_MAX).indexOf(LINE_FEED);
    if (!received.subarray(0, known).equals(TICKET.subarray(0, known))) onSpeaks();
    else if (end >= 0) decide(received.toString("latin1", TICKET.length, end), received.subarray(end + 1));
    else if (received.length >= PREFACE_BYTES_MAX) onSpeaks();
  };
  const silent = setTimeout(onSpeaks, PREFACE_WAIT_MS);
  socket.on("data", onData).once("end", onSpeaks).once("close", onSpeaks);
  return await first.promise;
}
