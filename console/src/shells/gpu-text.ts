/** The GPUs of a shell, for a person. */
import type { Shell } from "./shells-query.ts";

export function gpuText({
  gpu_count: count,
  gpu_type: type,
  gpu_mig_profile: profile,
}: Pick<Shell, "gpu_count" | "gpu_type" | "gpu_mig_profile">): string {
  if (count === 0) return "none";
  const name = [type ?? "any type", profile].filter((part) => part !== null).join(" ");
  return count === 1 ? name : `${count} × ${name}`;
}
