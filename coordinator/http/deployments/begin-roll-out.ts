/** A deployment that a caller requests. */
import { type Begin, type Begun, beginDeployment } from "../../deployments/begin-deployment.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { Service } from "../../domain/service.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { Problem } from "../problems/problem.ts";

interface RollOutRequest extends Omit<Begin, "readService" | "creatorId"> {
  readonly serviceId: string;
  readonly key: AccessKey;
}

export function begin(
  deps: Pick<RecordDeps, "store" | "clock">,
  { key, serviceId, ...requested }: RollOutRequest,
): Promise<Begun> {
  return beginDeployment(deps, {
    ...requested,
    creatorId: key.userId,
    readService: async () => {
      const service = await readVisible(deps.store, key, "services", serviceId);
      refuseDeleted(service.value);
      return service;
    },
  });
}

export function refuseDeleted(service: Service): void {
  if (service.state.kind === "deleted") throw new Problem("service_deleted", "The service was deleted.");
}
