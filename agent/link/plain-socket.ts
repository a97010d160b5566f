/**
 * A connection to a coordinator in plain, for what SSH encrypts from end to end. It begins as SSH does, so that what lets no SSH
 * through to that port cuts it here and not later.
 */
import { connect, type Socket } from "node:net";

/** Longer than a coordinator takes that is busy: by then it may have accepted the connection. */
const ACCEPTED_WITHIN_MS = 5_000;
/** All that a coordinator sends before the other side's bytes. */
const ACCEPTED = 10;

/** Null where nobody accepts it, as coordinators before it and what passes on TLS alone. Nothing after that is read. */
export async function openPlainSocket(
  { host, port }: { readonly host: string; readonly port: number },
  tunnelId: string,
): Promise<Socket | null> {
  const accepted = Promise.withResolvers<boolean>();
  // Of one byte, since what is read here would be lost to the program that the connection is handed to.
  const buffer = Buffer.alloc(1);
  const onByte = () => {
    accepted.resolve(buffer[0] === ACCEPTED);
    return false;
  };
  const socket = connect({ host, port, noDelay: true, onread: { buffer, callback: onByte } });
  const refused = () => accepted.resolve(false);
  socket.on("error", refused).once("end", refused).once("close", refused);
  const late = setTimeout(refused, ACCEPTED_WITHIN_MS);
  socket.write(`SSH-2.0-elastic_tunnel ${tunnelId}\r\n`);
  const isAccepted = await accepted.promise;
  clearTimeout(late);
  if (isAccepted) return socket;
  socket.destroy();
  return null;
}
