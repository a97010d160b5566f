/** Which GPU a shell gets: as the user chooses among those that exist. */
import type { Caller } from "../api/client.ts";
import { type GpuType, listGpuTypes } from "../api/gpu-types.ts";
import type { Context } from "../context.ts";
import { usageError } from "../errors/cli-error.ts";
import { printableLine } from "../output/printable.ts";
import { askChoice } from "./ask.ts";

const NONE = "none";

/** Null for none. */
export async function chooseGpu(context: Context, caller: Caller): Promise<string | null> {
  const types = await listGpuTypes(caller);
  if (!context.interactive) {
    const known = types.map(({ gpu_type: type }) => printableLine(type)).join(", ");
    throw usageError(
      "There is no terminal to ask on.",
      `Give --gpu none, or --gpu with one of: ${known || "(no GPUs)"}.`,
    );
  }
  const chosen = await askChoice(context, {
    message: "GPU type",
    choices: [...types.map((type) => ({ value: type.gpu_type, label: labelOf(type) })), { value: NONE, label: NONE }],
    insteadOf: "--gpu <type>",
  });
  return chosen === NONE ? null : chosen;
}

function labelOf({ gpu_type: type, free, total }: GpuType): string {
  return `${printableLine(type)}  ${free} of ${total} free`;
}
