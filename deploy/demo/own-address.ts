/** Whether programs of this machine can listen on an address. */
import { networkInterfaces } from "node:os";
import { DemoError } from "./demo-error.ts";

export function ownAddresses(): readonly string[] {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return all.filter(({ family }) => family === "IPv4").map(({ address }) => address);
}

/** Throws a DemoError. */
export function assertOwnAddress(address: string, own: readonly string[]): void {
  if (own.includes(address)) return;
  throw new DemoError(
    `${address} is no address of this machine, at which agents could join: give one with --enroll, of ${own.join(", ")}.`,
  );
}
