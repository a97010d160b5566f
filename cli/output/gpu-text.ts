/** The GPUs of a deployment, in words. */
import type { DeploymentRecord, NewDeployment } from "../api/records.ts";

type Resources = DeploymentRecord["resources"];
type Gpus = Pick<Resources, "gpu_count" | "gpu_model" | "gpu_memory_bytes" | "gpu_mig_profile">;

/** As they are requested; null where none is. The service takes one GPU where only the kind is given. */
export function gpuWishText(wanted: NewDeployment["resources"]): string | null {
  const { gpu_count: count, gpu_model = null, gpu_memory_bytes = 0, gpu_mig_profile = null } = wanted ?? {};
  const gpu_count = count ?? (gpu_model !== null || gpu_memory_bytes > 0 || gpu_mig_profile !== null ? 1 : 0);
  return gpu_count === 0 ? null : gpusText({ gpu_count, gpu_model, gpu_memory_bytes, gpu_mig_profile });
}

/** Services of the version before know no profiles. */
export function gpusText({
  gpu_count: count,
  gpu_model: model,
  gpu_memory_bytes: memory,
  gpu_mig_profile: profile,
}: Gpus): string {
  if (count === 0) return "0";
  const of = model ?? "any type";
  const least = memory === 0 ? "" : `, ${memory / 1e9} GB or more each`;
  return `${count}${profile ? ` ${profile}` : ""} of ${of}${least}`;
}
