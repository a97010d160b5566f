/** GET /healthz: the process serves. GET /readyz: it can do its work; with 503 and the reasons when it cannot. */
import { z } from "zod";
import { VIEW_AGE_MAX_MS } from "../../auth/authenticate.ts";
import { refusals } from "../../public/refusals.ts";
import type { CallerDeps } from "../access/caller.ts";
import type { BlobDeps } from "../deps/blob-deps.ts";
import type { ChangedStoreDeps } from "../deps/changed-store-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";

export function health(app: App): void {
  app.route({
    method: "GET",
    url: "/healthz",
    config: { takesAnyQuery: true },
    schema: {
      operationId: "health",
      summary: "Whether the process serves",
      tags: ["operations"],
      security: [],
      response: { 200: z.object({ status: z.literal("ok") }) },
    },
    handler: async (_request, reply) => reply.send({ status: "ok" }),
  });
}

export interface StoreRoomDeps {
  readonly storeIsFull: () => boolean;
}

export interface ClockDeps {
  /** What is wrong with the machine's clock; null where nothing is. */
  readonly clockComplaint: () => string | null;
}

export interface StopDeps {
  /** Whether it serves only until load balancers have turned to others. */
  readonly isStopping: () => boolean;
}

export function ready(
  app: App,
  deps: Pick<CallerDeps, "store" | "admission"> & StoreRoomDeps & ChangedStoreDeps & BlobDeps & ClockDeps & StopDeps,
): void {
  app.route({
    method: "GET",
    url: "/readyz",
    config: { takesAnyQuery: true },
    schema: {
      operationId: "ready",
      summary: "Whether the process can do its work",
      tags: ["operations"],
      security: [],
      response: { 200: readiness, ...refusals(503) },
    },
    handler: async (_request, reply) => {
      if (deps.isStopping()) throw unready("process", "it stops soon, and serves until then");
      // A load balancer need not know of a pause so short that callers wait for its end.
      const { store, storeIsFull, storeChanged, admission } = deps;
      const changed = storeChanged();
      if (changed !== null) throw unready("store", changed.message);
      await admission.freshView.untilFreshOrTimeout();
      const ageMs = store.view.ageMs();
      if (ageMs > VIEW_AGE_MAX_MS) throw unready("store", `nothing was received from it for ${Math.round(ageMs)} ms`);
      if (storeIsFull()) throw unready("store", "the store is full and takes no writes");
      await deps.blobs.probe().catch((error: Error) => {
        throw unready("blobs", error.message);
      });
      const clock = deps.clockComplaint();
      return reply.send({ status: "ready", ...(clock === null ? {} : { clock }) });
    },
  });
}

const readiness = z.object({
  status: z.literal("ready"),
  clock: z
    .string()
    .optional()
    .describe("What is wrong with the clock of the coordinator's machine; absent where nothing is."),
});

function unready(pointer: "store" | "blobs" | "process", detail: string): Problem {
  return new Problem("unready", "The coordinator is not ready.", { errors: [{ pointer, detail }] });
}
