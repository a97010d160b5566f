/** Rejects operations that add records while the store is nearly full, so that what ends work still finds room. */
import type { onRequestHookHandler } from "fastify";
import type { App } from "../endpoint/fastify-app.ts";
import { operationIdOf } from "../endpoint/operation-id.ts";
import { Problem } from "../problems/problem.ts";
import { ADDS_RECORDS } from "./adding-operations.ts";

/** A store gets room by what users remove and by etcd's compaction, which takes minutes. */
const RETRY_AFTER_SECONDS = 60;
const DETAIL =
  "The store of this service is nearly full, so nothing new is created; nothing of this request was stored. What ends, cancels or deletes still works. Try again later: the operator can make room.";

export interface NearlyFullDeps {
  readonly storeIsNearlyFull: () => boolean;
}

/** After the caller is known, and before the body is read. Must be called before the endpoints are registered. */
export function refuseNearlyFull(app: App, deps: NearlyFullDeps): void {
  const refuse: onRequestHookHandler = (request, _reply, done) => {
    if (ADDS_RECORDS[operationIdOf(request)] === true) refuseWhereNearlyFull(deps);
    done();
  };
  app.addHook("onRoute", (route) => {
    route.onRequest = [...[route.onRequest ?? []].flat(), refuse];
  });
}

export function refuseWhereNearlyFull({ storeIsNearlyFull }: NearlyFullDeps): void {
  if (!storeIsNearlyFull()) return;
  throw new Problem("store_nearly_full", DETAIL, { headers: { "retry-after": String(RETRY_AFTER_SECONDS) } });
}
