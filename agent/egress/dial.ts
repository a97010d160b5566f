/**
 * Opens a connection to where a shell may connect. A name is resolved once, here; all of its addresses are judged, and
 * one of exactly these is dialled: where a name leads at another moment, or to another resolver, decides nothing.
 */
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { classifyAddress } from "@elastic/std/net/address-class.ts";
import { type IpBytes, type IpRange, isInRange, parseIp } from "@elastic/std/net/ip-address.ts";
import { type LookUp, queryNameServers } from "@elastic/std/net/name-servers.ts";
import { ownAddresses } from "@elastic/std/net/own-addresses.ts";
import type { Destination } from "./destination.ts";

export interface DialOptions {
  /** Of this machine's network: what is not public and may be reached all the same. */
  readonly allowRanges: readonly IpRange[];
  readonly lookUp?: LookUp;
  /** This machine's, which no shell may reach. */
  readonly own?: () => readonly IpBytes[];
}

/** Why there is no connection, for the program that requested it. */
export class NoWayOut extends Error {
  override readonly name = "NoWayOut";
  readonly kind: "not_understood" | "forbidden" | "failed";

  constructor(kind: NoWayOut["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}

const RESOLVES_WITHIN_MS = 10_000;
const CONNECTS_WITHIN_MS = 10_000;
/** Of one that has more, it is not tried which of them responds. */
const TRIED_MAX = 4;

/** Throws NoWayOut. */
export async function dial(to: Destination, options: DialOptions, signal: AbortSignal): Promise<Socket> {
  const addresses = await addressesOf(to.host, options.lookUp ?? queryNameServers, signal);
  const own = (options.own ?? ownAddresses)();
  const isGood = (bytes: IpBytes) =>
    options.allowRanges.some((range) => isInRange(bytes, range)) || classifyAddress(bytes, own) === "public";
  // Of one good and one bad the bad one would be dialled sooner or later.
  if (!addresses.every(({ bytes }) => isGood(bytes))) {
    throw new NoWayOut("forbidden", `${to.host} does not lead to a public address`);
  }
  for (const { text } of addresses.slice(0, TRIED_MAX)) {
    const socket = await open(text, to.port, signal);
    if (socket !== null) return socket;
  }
  throw new NoWayOut("failed", `${to.host} does not take connections on port ${to.port}`);
}

async function addressesOf(host: string, lookUp: LookUp, signal: AbortSignal) {
  const within = AbortSignal.any([signal, AbortSignal.timeout(RESOLVES_WITHIN_MS)]);
  const texts = parseIp(host) === null ? await lookUp(host, within).catch(() => []) : [host];
  const addresses = texts.map((text) => ({ text, bytes: parseIp(text) }));
  if (addresses.length === 0) throw new NoWayOut("failed", `the name ${host} could not be resolved`);
  return addresses.map(({ text, bytes }) => {
    if (bytes === null) throw new NoWayOut("forbidden", `${host} does not lead to a public address`);
    return { text, bytes };
  });
}

/** Null where no server responds. */
async function open(address: string, port: number, signal: AbortSignal): Promise<Socket | null> {
  const socket = connect({ host: address, port, noDelay: true, allowHalfOpen: true });
  try {
    await once(socket, "connect", { signal: AbortSignal.any([signal, AbortSignal.timeout(CONNECTS_WITHIN_MS)]) });
    return socket;
  } catch {
    socket.on("error", () => undefined);
    socket.destroy();
    return null;
  }
}
