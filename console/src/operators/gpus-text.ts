/** The GPUs of a machine, for a person. */
import type { Machine } from "./operators-query.ts";

export function gpusText(types: Machine["gpu_types"]): string {
  if (types.length === 0) return "none";
  return types.map(({ gpu_type: type, total, free }) => `${total} × ${type}, ${free} free`).join("; ");
}
