/**
 * What is written to a socket in one turn goes out as one: the library writes the length, the bytes and the digest of
 * each packet apart, and each would be a system call here, a segment on the way and a turn of the client's.
 */
import type { Socket } from "node:net";

export function joinWrites(socket: Socket): void {
  const write = socket.write.bind(socket) as (...given: readonly unknown[]) => boolean;
  let isHeld = false;
  const release = () => {
    isHeld = false;
    socket.uncork();
  };
  socket.write = (...given: readonly unknown[]) => {
    if (!isHeld) {
      isHeld = true;
      socket.cork();
      process.nextTick(release);
    }
    return write(...given);
  };
}
