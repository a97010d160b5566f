/** What the figures were measured on, without what would name the machine. */
import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, totalmem } from "node:os";

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memory_bytes: number;
  /** Models; empty without GPUs. */
  readonly gpus: readonly string[];
}

export function thisMachine(): Machine {
  return {
    cpu: cpus()[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    memory_bytes: totalmem(),
    gpus: gpuModels(),
  };
}

/** As the driver names them; none where there is no driver. */
export function gpuModels(): readonly string[] {
  try {
    const args = ["--query-gpu=name", "--format=csv,noheader"];
    const text = execFileSync("nvidia-smi", args, {
      encoding: "utf8",
      timeout: 10_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
    return text.split("\n").filter((line) => line !== "");
  } catch {
    return [];
  }
}
