/**
 * A connection to a coordinator for the bytes of one sshd, without gRPC: they are encrypted already, and each frame and copy
 * on the way would cost as much as the encryption. TLS shows whose they are, and hides when who types.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import { connect } from "node:tls";
import type { TlsFiles } from "../domain/tls-files.ts";

const CONNECTS_WITHIN_MS = 10_000;
const KEEPALIVE_AFTER_MS = 30_000;

/** From now on it carries what the sshd and its client send. The certificate is that which holds now. */
export async function openTunnelSocket(files: TlsFiles, address: string, tunnelId: string): Promise<Duplex> {
  const colon = address.lastIndexOf(":");
  const host = address.slice(0, colon).replace(/^\[(.*)\]$/, "$1");
  const cert = readFileSync(files.certFile);
  // Read once where both are in one file, so that they belong together whenever it is replaced.
  const key = files.keyFile === files.certFile ? cert : readFileSync(files.keyFile);
  const socket = connect({
    host,
    port: Number(address.slice(colon + 1)),
    ca: readFileSync(files.caFile),
    cert,
    key,
    ...(isIP(host) === 0 ? { servername: host } : {}),
  });
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) });
  } catch (error) {
    socket.on("error", () => undefined).destroy();
    throw error;
  }
  socket.setNoDelay(true).setKeepAlive(true, KEEPALIVE_AFTER_MS);
  socket.write(`elastic-tunnel ${tunnelId}\n`);
  return socket;
}
