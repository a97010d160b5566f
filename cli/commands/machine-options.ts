/** Options of the commands that request processors and memory. */
import type { Command } from "commander";
import { parseAmount } from "./counts.ts";

export interface MachineOptions {
  readonly cpus?: number;
  readonly memory?: number;
}

export const GIB = 1024 ** 3;

export function withMachine(command: Command): Command {
  return command
    .option("--cpus <number>", "processors, as in 4 or 0.5 (default: 1)", parseAmount)
    .option("--memory <GiB>", "memory, as in 16 or 0.5 (default: 2)", parseAmount);
}

export function machineMembers({ cpus, memory }: MachineOptions) {
  return {
    ...(cpus === undefined ? {} : { cpu_millis: Math.round(1000 * cpus) }),
    ...(memory === undefined ? {} : { memory_bytes: Math.round(GIB * memory) }),
  };
}
