/** Which GPU a shell gets: as the user chooses among those that exist. */
import type { Caller } from "../api/caller.ts";
import { listGpuTypes } from "../api/gpu-types.ts";
import type { GpuTypeRecord } from "../api/records.ts";
import type { Context } from "../context/context.ts";
import { usageError } from "../errors/cli-error.ts";
import { printableLine } from "../output/printable.ts";
import { sizeText } from "../output/size-text.ts";
import { promptChoice } from "./prompt.ts";

const NONE = "none";

/** Null for none. */
export async function chooseGpu(context: Context, caller: Caller): Promise<string | null> {
  const types = await listGpuTypes(caller);
  if (!context.interactive) {
    const known = types.map(({ gpu_type: type }) => printableLine(type)).join(", ");
    throw usageError(
      "There is no terminal to prompt on.",
      known === "" ? "Give --gpu none: there are no GPUs." : `Give --gpu none, or --gpu with one of: ${known}.`,
    );
  }
  const chosen = await promptChoice(context, {
    message: "GPU type",
    choices: [...types.map((type) => ({ value: type.gpu_type, label: labelOf(type) })), { value: NONE, label: NONE }],
    insteadOf: "--gpu <type>",
  });
  return chosen === NONE ? null : chosen;
}

/** One that is not free may be chosen: the shell waits for it. */
function labelOf({ gpu_type: type, memory_bytes: memory, free, total }: GpuTypeRecord): string {
  return `${printableLine(type)}  ${sizeText(memory)}  ${free} of ${total} free`;
}
