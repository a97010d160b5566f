/** The id of the record of a pool's machine that nobody requested: the same for each coordinator that it shows itself to. */
import { hash } from "node:crypto";

export function machineIdOf(poolId: string, machine: string): string {
  return hash("sha256", `${poolId}\n${machine}`, "hex").slice(0, 32);
}
