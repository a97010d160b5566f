/** A client that speaks SSH rightly up to one packet, which it breaks before it seals it: at any stage. */

import fc from "fast-check";
import type { Client, ClientChannel } from "ssh2";
import type { TestGateway } from "./test-gateway.ts";

/** How the nth packet is broken. */
export interface Damage {
  readonly packet: number;
  readonly how: "byte" | "type" | "word" | "tail" | "short" | "twice" | "raw";
  /** Where, as a share of the packet. */
  readonly at: number;
  readonly value: number;
}

/** From the first proposal of algorithms to the end of a session there are about so many. */
const PACKETS = 16;
const WORDS = [0, 1, 0x7f_ff_ff_ff, 0x80_00_00_00, 0xff_ff_ff_ff, 35_000];

export const damages: fc.Arbitrary<Damage> = fc.record({
  packet: fc.nat(PACKETS),
  how: fc.constantFrom("byte", "type", "word", "tail", "short", "twice", "raw"),
  at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  value: fc.oneof(fc.constantFrom(...WORDS), fc.nat(0xff_ff_ff_ff)),
});

interface Cipher {
  encrypt(packet: Buffer): void;
}

interface Insides {
  readonly _protocol: { _cipher: Cipher };
  readonly _sock: { write(bytes: Buffer): void };
}

/** It goes as far as it is let, and then stays. */
export function breakIn(gateway: TestGateway, damage: Damage): Client {
  const client = gateway.dial();
  const { _protocol: protocol } = client as unknown as Insides;
  let cipher = protocol._cipher;
  let packets = 0;
  const broken = (packet: Buffer): void => {
    const isDue = packets++ === damage.packet;
    if (isDue && damage.how === "raw") (client as unknown as Insides)._sock.write(packet);
    else if (isDue) spoil(packet, damage);
    cipher.encrypt(packet);
    if (isDue && damage.how === "twice") cipher.encrypt(packet);
  };
  // Set again whenever keys are.
  Object.defineProperty(protocol, "_cipher", {
    get: () => new Proxy(cipher, { get: (of, name) => (name === "encrypt" ? broken : Reflect.get(of, name, of)) }),
    set: (next: Cipher) => {
      cipher = next;
    },
  });
  client.on("ready", () => {
    client.exec("work", { env: { LANG: "C" }, pty: { cols: 80, rows: 24 } }, (error, channel) => {
      if (error === undefined) use(channel);
    });
    client.forwardOut("127.0.0.1", 1, "localhost", 80, (error, channel) => {
      if (error === undefined) use(channel);
    });
    client.subsys("sftp", () => undefined);
  });
  return client;
}

function use(channel: ClientChannel): void {
  channel.on("error", () => undefined);
  channel.setWindow?.(30, 100, 0, 0);
  channel.write("some input");
  channel.signal?.("INT");
  channel.end();
}

/** Four bytes of length, one that says how much padding there is, what is said, padding. */
function spoil(packet: Buffer, { how, at, value }: Damage): void {
  const said = packet.subarray(5, packet.length - (packet[4] ?? 0));
  if (said.length === 0) return;
  const offset = Math.floor(at * said.length);
  if (how === "byte") said[offset] = value & 0xff;
  else if (how === "type") said[0] = value & 0xff;
  else if (how === "word" && said.length >= 4) said.writeUInt32BE(value, Math.min(offset, said.length - 4));
  else if (how === "tail") said.fill(value & 0xff, offset);
  else if (how === "short") packet[4] = Math.min(255, packet.length - 5 - offset);
}
