/**
 * Connections that end after the current response, because the rest of the request is not wanted. Closed at once, they
 * would lose the response: a client that is still sending sees the reset before it has read anything. So the response is
 * sent, nothing else is, and what still arrives is read and dropped for a moment.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";

const LINGER_MS = 5_000;

const closing = new WeakSet<Socket>();

export function closeAfterResponse(request: IncomingMessage): void {
  const { socket } = request;
  if (closing.has(socket)) return;
  closing.add(socket);
  const destroySoon = socket.destroySoon.bind(socket);
  // What Node calls once the response is written.
  socket.destroySoon = () => linger(request, destroySoon);
}

/** Neither a parser error nor a further request on such a socket gets a response. */
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
