/** Where syslog messages are sent: `udp://`, `tcp://` and `tls://` with host and port, or `unix:/path` of a stream socket. */
import { createSocket } from "node:dgram";
import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";

export interface SyslogTarget {
  /** Resolves when the system has taken all of them; rejects where it cannot. */
  send(messages: readonly string[]): Promise<void>;
  close(): void;
}

export type SyslogAddress =
  | { readonly kind: "udp" | "tcp" | "tls"; readonly host: string; readonly port: number }
  | { readonly kind: "unix"; readonly path: string };

/** By RFC 5424's transports (5426, 6587, 5425). */
const DEFAULT_PORTS = { udp: 514, tcp: 601, tls: 6514 } as const;
const CONNECT_TIMEOUT_MS = 10_000;

/** Null for what is no such address. */
export function parseSyslogAddress(text: string): SyslogAddress | null {
  const [, path] = /^unix:(?:\/\/)?(\/.+)$/.exec(text) ?? [];
  if (path !== undefined) return { kind: "unix", path };
  const [, kind, host, port] = /^(udp|tcp|tls):\/\/(\[[0-9a-f:]+\]|[^\s/:[\]]+)(?::(\d{1,5}))?$/i.exec(text) ?? [];
  if (kind === undefined || host === undefined) return null;
  const name = kind.toLowerCase() as keyof typeof DEFAULT_PORTS;
  const number = port === undefined ? DEFAULT_PORTS[name] : Number(port);
  return number < 1 || number > 65_535 ? null : { kind: name, host: host.replaceAll(/[[\]]/g, ""), port: number };
}

/** `ca`: of the receiver's certificate, with `tls`; the public authorities where it is left out. */
export function syslogTarget(address: SyslogAddress, ca?: Buffer): SyslogTarget {
  return address.kind === "udp" ? datagrams(address) : stream(address, ca);
}

function datagrams({ host, port }: Extract<SyslogAddress, { readonly port: number }>): SyslogTarget {
  const socket = createSocket(host.includes(":") ? "udp6" : "udp4").unref();
  socket.on("error", () => undefined);
  const send = (message: string): Promise<void> =>
    new Promise((resolve, reject) => {
      socket.send(message, port, host, (error) => (error ? reject(error) : resolve()));
    });
  return {
    send: async (messages) => {
      for (const message of messages) await send(message);
    },
    close: () => socket.close(),
  };
}

/** Connects with the first message, and again after an error. */
function stream(address: Exclude<SyslogAddress, { readonly kind: "udp" }>, ca: Buffer | undefined): SyslogTarget {
  let open: Socket | null = null;
  const drop = () => {
    open?.destroy();
    open = null;
  };
  return {
    send: async (messages) => {
      try {
        open ??= await connect(address, ca);
        await write(open, messages.map((message) => framed(address, message)).join(""));
      } catch (error) {
        drop();
        throw error;
      }
    },
    close: drop,
  };
}

/** Octet counting; a local socket has a line each. */
function framed({ kind }: SyslogAddress, message: string): string {
  return kind === "unix" ? `${message}\n` : `${Buffer.byteLength(message)} ${message}`;
}

function connect(address: Exclude<SyslogAddress, { readonly kind: "udp" }>, ca: Buffer | undefined): Promise<Socket> {
  const socket =
    address.kind === "unix"
      ? connectTcp({ path: address.path })
      : address.kind === "tls"
        ? connectTls({
            host: address.host,
            port: address.port,
            ...(isIP(address.host) === 0 && { servername: address.host }),
            ...(ca && { ca }),
          })
        : connectTcp({ host: address.host, port: address.port });
  return new Promise((resolve, fail) => {
    const reject = (error: Error) => fail(new Error(whyNotConnected(address, error)));
    const timer = setTimeout(() => socket.destroy(new Error("it does not respond")), CONNECT_TIMEOUT_MS);
    socket.once("error", reject);
    socket.once("close", () => clearTimeout(timer));
    socket.once(address.kind === "tls" ? "secureConnect" : "connect", () => {
      clearTimeout(timer);
      socket.off("error", reject);
      // What is written next rejects.
      socket.on("error", () => undefined);
      socket.resume();
      resolve(socket);
    });
  });
}

function whyNotConnected(
  address: Exclude<SyslogAddress, { readonly kind: "udp" }>,
  error: NodeJS.ErrnoException,
): string {
  const place = address.kind === "unix" ? address.path : `${address.host}:${address.port}`;
  // What OpenSSL reads of a receiver that does not begin with TLS.
  if (/WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG/.test(error.code ?? "")) {
    return `the syslog receiver at ${place} does not use TLS on this port: give its TLS port (usually ${DEFAULT_PORTS.tls}), or tcp:// in place of tls://`;
  }
  return `the syslog receiver at ${place} cannot be reached: ${error.message}`;
}

function write(socket: Socket, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    if (socket.destroyed || socket.readableEnded) reject(new Error("the receiver closed the connection"));
    else socket.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
