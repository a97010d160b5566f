/** The service of a new task, once it can take one. */
import type { AccessKey } from "../../domain/access-key.ts";
import { type Service, servingDeploymentId } from "../../domain/service.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { readVisible } from "../access/read-visible.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import { notReady } from "./new-task.ts";

/** Before an input is fetched or stored. A service is refused as not ready only after the store was read. */
export async function servingService(
  deps: Pick<RecordDeps, "store">,
  key: AccessKey,
  seen: Versioned<Service>,
): Promise<Versioned<Service>> {
  if (servingDeploymentId(seen.value) !== null) return seen;
  const service = await readVisible(deps.store, key, "services", seen.value.id);
  if (servingDeploymentId(service.value) === null) throw notReady(service.value);
  return service;
}
