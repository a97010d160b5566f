/**
 * Connections that end after the answer under way, because the rest of the request is not read. What the parser
 * says of that rest is not answered a second time.
 */
import type { Socket } from "node:net";

const closing = new WeakSet<Socket>();

export function closesAfterAnswer(socket: Socket): void {
  closing.add(socket);
}

export function isClosing(socket: Socket): boolean {
  return closing.has(socket);
}
