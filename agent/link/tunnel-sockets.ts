/**
 * Connections to coordinators for the bytes of one sshd each, without gRPC: they are encrypted already, and each frame and copy
 * on the way would cost as much as the encryption. In plain, or over TLS where nothing else gets through.
 */
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { isIP, type Socket } from "node:net";
import { connect } from "node:tls";
import type { TlsFiles } from "../domain/tls-files.ts";
import type { TunnelSocket } from "../tunnels/tunnel-socket.ts";
import { openPlainSocket } from "./plain-socket.ts";

const CONNECTS_WITHIN_MS = 10_000;
const KEEPALIVE_AFTER_MS = 30_000;
/** How long a coordinator that accepted none in plain is not tried again. */
const TLS_ALONE_MS = 600_000;

interface Address {
  readonly host: string;
  readonly port: number;
}

export class TunnelSockets {
  readonly #files: TlsFiles;
  /** By address. */
  readonly #tlsAloneUntil = new Map<string, number>();

  constructor(files: TlsFiles) {
    this.#files = files;
  }

  /** From now on it carries what the sshd and its client send. */
  async open(address: string, tunnelId: string): Promise<TunnelSocket> {
    const colon = address.lastIndexOf(":");
    const at = { host: address.slice(0, colon).replace(/^\[(.*)\]$/, "$1"), port: Number(address.slice(colon + 1)) };
    const plain = this.#takesTlsAlone(address) ? null : await openPlainSocket(at, tunnelId);
    const socket = plain ?? (await openTlsSocket(this.#files, at, tunnelId));
    if (plain === null && !this.#takesTlsAlone(address)) {
      this.#tlsAloneUntil.set(address, performance.now() + TLS_ALONE_MS);
    }
    socket.setKeepAlive(true, KEEPALIVE_AFTER_MS);
    return { socket, isPlain: plain !== null };
  }

  #takesTlsAlone(address: string): boolean {
    return performance.now() < (this.#tlsAloneUntil.get(address) ?? 0);
  }
}

/** The certificate is that which holds now. */
async function openTlsSocket(files: TlsFiles, { host, port }: Address, tunnelId: string): Promise<Socket> {
  const cert = readFileSync(files.certFile);
  // Read once where both are in one file, so that they belong together whenever it is replaced.
  const key = files.keyFile === files.certFile ? cert : readFileSync(files.keyFile);
  const name = isIP(host) === 0 ? { servername: host } : {};
  const socket = connect({ host, port, ca: readFileSync(files.caFile), cert, key, ...name });
  socket.on("error", () => undefined);
  try {
    await once(socket, "secureConnect", { signal: AbortSignal.timeout(CONNECTS_WITHIN_MS) });
  } catch (error) {
    socket.destroy();
    throw error;
  }
  socket.setNoDelay(true);
  socket.write(`elastic-tunnel ${tunnelId}\n`);
  return socket;
}
