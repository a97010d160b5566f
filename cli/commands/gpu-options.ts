/** Options of the commands that request GPUs, and labels of the machines that they are on. */
import { type Command, InvalidArgumentError, Option } from "commander";
import { usageError } from "../errors/cli-error.ts";
import { parseCount } from "./counts.ts";
import { notEmpty } from "./not-empty.ts";

export interface GpuOptions {
  readonly gpu?: string;
  readonly gpuCount?: number;
  readonly gpuMemory?: number;
  readonly mig?: string;
  readonly label: Readonly<Record<string, string>>;
}

/** As cards are sold: an "80GB" one has a little more than 80 of these. */
const GB = 1e9;

export function withGpus(command: Command, defaultGpu: string): Command {
  return command
    .option("--gpu <type>", `GPU type, any, or none (default: ${defaultGpu})`, notEmpty("GPU type"))
    .option("--gpu-count <number>", "GPUs of that type (default: 1)", parseCount)
    .option("--gpu-memory <GB>", "memory that each GPU has at least", parseCount)
    .option("--mig <profile>", "an instance of a GPU that is cut, as 1g.10gb", notEmpty("MIG profile"))
    .addOption(
      new Option("--label <key=value>", "only on machines with this label (repeatable)")
        .argParser(addLabel)
        .default({}, "any machine"),
    );
}

/** Whether it is said that there shall be a GPU, whichever type. */
export function saysGpu({ gpuCount, gpuMemory, mig }: GpuOptions): boolean {
  return gpuCount !== undefined || gpuMemory !== undefined || mig !== undefined;
}

/** The members of a request but for the type, which each request names in its own way. */
export function gpuMembers(options: GpuOptions) {
  const { gpu, gpuCount, gpuMemory, mig, label } = options;
  if (gpu === "none" && saysGpu(options)) {
    throw usageError("--gpu none goes with no other option of GPUs.", "Leave out --gpu-count, --gpu-memory and --mig.");
  }
  const count = gpuCount ?? (gpu === "any" ? 1 : undefined);
  return {
    ...(count === undefined ? {} : { gpu_count: count }),
    ...(gpuMemory === undefined ? {} : { gpu_memory_bytes: gpuMemory * GB }),
    ...(mig === undefined ? {} : { gpu_mig_profile: mig }),
    ...(Object.keys(label).length === 0 ? {} : { node_labels: label }),
  };
}

/** Null for any type, and for none. */
export function gpuTypeOf(gpu: string | undefined): string | null {
  return gpu === undefined || gpu === "any" || gpu === "none" ? null : gpu;
}

function addLabel(text: string, labels: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const at = text.indexOf("=");
  if (at <= 0) throw new InvalidArgumentError("Give it as key=value.");
  return { ...labels, [text.slice(0, at)]: text.slice(at + 1) };
}
