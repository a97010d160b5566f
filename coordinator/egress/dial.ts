/**
 * Opens the connection of one request to one of the addresses that were checked, and to no other: the name is not
 * resolved again, and where the socket really leads is looked at before a byte is sent.
 */
import { connect, type LookupFunction, type Socket } from "node:net";
import { connect as startTls, type TLSSocket } from "node:tls";
import { isSameIp, parseIp } from "@elastic/std/net/ip-address.ts";
import type { buildConnector } from "undici";
import type { CheckedUrl } from "./check-url.ts";
import { EgressError } from "./egress-error.ts";
import type { HostAddress } from "./resolve-host.ts";

export interface DialOptions {
  readonly to: CheckedUrl;
  readonly addresses: readonly HostAddress[];
  readonly signal: AbortSignal;
  /** Certificates of the authorities to trust instead of the usual ones. */
  readonly ca: string | undefined;
}

/** As undici requires it. Its errors are EgressErrors. */
export function dialer(options: DialOptions): buildConnector.connector {
  return (_target, callback) => {
    dial(options).then(
      (socket) => callback(null, socket),
      (error: Error) => callback(error, null),
    );
  };
}

async function dial(options: DialOptions): Promise<Socket> {
  const { to, addresses, signal } = options;
  const socket = connect({
    host: to.host,
    port: to.port,
    lookup: onlyThese(addresses),
    autoSelectFamily: true,
    noDelay: true,
  });
  const stop = () => socket.destroy();
  signal.addEventListener("abort", stop, { once: true });
  socket.once("close", () => signal.removeEventListener("abort", stop));
  if (signal.aborted) stop();
  await opened(socket, "connect", "connect_failed");
  if (!isOneOf(addresses, socket.remoteAddress)) {
    socket.destroy();
    throw new EgressError("address_refused");
  }
  return to.url.protocol === "https:" ? await secured(socket, options) : socket;
}

async function secured(socket: Socket, { to, ca }: DialOptions): Promise<TLSSocket> {
  const tls = startTls({
    socket,
    host: to.host,
    // An address is no server name; the certificate is then checked for the address.
    servername: to.address === null ? to.host : "",
    ALPNProtocols: ["http/1.1"],
    ...(ca === undefined ? {} : { ca }),
  });
  await opened(tls, "secureConnect", "tls_failed");
  return tls;
}

function opened(socket: Socket, event: "connect" | "secureConnect", code: "connect_failed" | "tls_failed") {
  return new Promise<void>((resolve, reject) => {
    socket.once(event, resolve);
    const fail = (cause?: unknown) => {
      socket.destroy();
      reject(new EgressError(code, { cause }));
    };
    socket.on("error", fail);
    socket.once("close", () => fail());
  });
}

/** Called with `all` where families are raced, without it where there is one. */
function onlyThese(addresses: readonly HostAddress[]): LookupFunction {
  const all = addresses.map(({ text, bytes }) => ({ address: text, family: bytes.length === 4 ? 4 : 6 }));
  return (_name, { all: asksForAll }, callback) => {
    const first = all[0];
    if (first === undefined) callback(new EgressError("name_unknown"), "", 0);
    else if (asksForAll === true) callback(null, all);
    else callback(null, first.address, first.family);
  };
}

function isOneOf(addresses: readonly HostAddress[], remote: string | undefined): boolean {
  const bytes = parseIp(remote ?? "");
  return bytes !== null && addresses.some((address) => isSameIp(address.bytes, bytes));
}
