/** Which services have a volume deployed, or are about to: such a volume is not deleted. */
import type { Service } from "../../domain/service.ts";
import type { View } from "../../store/store.ts";

/** By volume. */
export function servicesByVolume({
  services,
  deployments,
}: Pick<View, "services" | "deployments">): ReadonlyMap<string, readonly Service[]> {
  const found = new Map<string, Service[]>();
  for (const { value: service } of services.values()) {
    const live = new Set([service.currentDeploymentId, service.nextDeploymentId]);
    const volumes = [...live].map((id) => deployments.get(id ?? "")?.value.volume?.id);
    for (const volumeId of new Set(volumes)) {
      if (volumeId !== undefined) found.set(volumeId, [...(found.get(volumeId) ?? []), service]);
    }
  }
  return found;
}

export function servicesWithVolume(view: Pick<View, "services" | "deployments">, id: string): readonly Service[] {
  return servicesByVolume(view).get(id) ?? [];
}
