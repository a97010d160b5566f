/**
 * Once the store turned out to be another than the one that was known, nothing of it is shown: what is in memory is of
 * the one before, and a key that was revoked there may be valid here.
 */
import type { FastifyRequest } from "fastify";
import type { StoreChangedError } from "../../store/kv.ts";
import type { ChangedStoreDeps } from "../deps/changed-store-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "./problem.ts";

export function refuseChangedStore(app: App, { storeChanged: changed }: ChangedStoreDeps): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const error = changed();
    if (error !== null && dependsOnStore(request)) throw storeChanged(error);
    done();
  });
}

/** Without what happened, which is the operator's: it is in `/readyz` and in the log. */
export function storeChanged(cause: StoreChangedError): Problem {
  const detail =
    "The store is not the one that this service knew. Nothing is read from it and nothing was acknowledged, until the operator acts.";
  return new Problem("store_changed", detail, { cause });
}

/** As the endpoint's description says; the pages of a login lead back to the console instead. */
function dependsOnStore({ routeOptions: { url, schema } }: FastifyRequest): boolean {
  const responses = (schema?.response ?? {}) as Readonly<Record<string, unknown>>;
  return url?.startsWith("/v1/") === true && responses[503] !== undefined;
}
