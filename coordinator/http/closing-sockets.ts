/**
 * Connections that end after the answer under way, because the rest of the request is not wanted. Cut at once, they
 * would take the answer with them: a client that is still sending hears of the cut before it has read a word. So the
 * answer goes out, nothing else does, and what still comes is read and forgotten for a moment.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const LINGER_MS = 5_000;

const closing = new WeakSet<Socket>();

export function closesAfterAnswer(request: IncomingMessage): void {
  const { socket } = request;
  if (closing.has(socket)) return;
  closing.add(socket);
  const destroySoon = socket.destroySoon.bind(socket);
  // What Node calls once the answer is written.
  socket.destroySoon = () => linger(request, destroySoon);
}

/** What the parser says of what comes on it is not answered, and no further request on it is. */
export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}

function linger(request: IncomingMessage, destroySoon: () => void): void {
  if (request.complete || request.destroyed) {
    destroySoon();
    return;
  }
  const { socket } = request;
  socket.end();
  const over = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once("close", () => clearTimeout(over));
  request.once("end", destroySoon).resume();
}
