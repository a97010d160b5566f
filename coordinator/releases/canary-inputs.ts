/** The inputs that deployments coming up are to prove: until a task names them, only these do. */
import type { BlobAddress } from "../blobs/blob-store.ts";
import type { View } from "../store/store.ts";

export function* canaryInputs({
  services,
  deployments,
}: Pick<View, "services" | "deployments">): Iterable<BlobAddress> {
  for (const { value: service } of services.values()) {
    const next = deployments.get(service.nextDeploymentId ?? "")?.value;
    if (next?.canary !== undefined) yield { teamId: next.teamId, sha256: next.canary.input.sha256 };
  }
}
