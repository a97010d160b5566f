/** PUT /v1/pools/:id: creates a pool, or replaces what it is set to. Only this response has a new secret of its driver. */
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { isPoolName, POOL_NAME_RULE, POOLS_MAX, type Pool, type PoolDriver } from "../../domain/pool.ts";
import { poolSchema } from "../../public/pool-record.ts";
import { type PoolRequest, poolRequestSchema } from "../../public/pool-request.ts";
import { refusals } from "../../public/refusals.ts";
import { newPoolSecret } from "../../secrets/pool-secret.ts";
import { put } from "../../store/change.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { EgressDeps } from "../deps/egress-deps.ts";
import type { SecretDeps } from "../deps/secret-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";
import { checkDriverCommand, type PoolCommandDeps } from "./check-driver-command.ts";
import { checkDriverUrl } from "./check-driver-url.ts";
import { type PoolDeps, recordOf } from "./find-pool.ts";

const schema = {
  operationId: "putPool",
  summary: "Create or change a pool",
  description:
    "The body replaces all of its settings; machines that it has stay, and leave as the new settings say. Requests to a " +
    "webhook are signed as deliveries are; its secret is in the response that makes it, and stays while the driver is a " +
    "webhook.",
  tags: ["pools"],
  params: z.object({ id: z.string().describe(`Its name: ${POOL_NAME_RULE}.`) }),
  body: poolRequestSchema,
  response: {
    200: poolSchema
      .extend({
        secret: z.string().nullable().describe("`whsec_` and base64, where it is new. It is shown here once."),
      })
      .meta({ id: "PoolWithSecret" }),
    ...refusals(400, 401, 403, 413, 415, 422, 429, 503),
  },
};

export function putPool(app: App, deps: CallerDeps & PoolDeps & PoolCommandDeps & EgressDeps & SecretDeps): void {
  app.route({
    method: "PUT",
    url: "/v1/pools/:id",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "nodes"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { id } = request.params;
      const { body } = request;
      if (!isPoolName(id))
        throw new Problem("invalid_request", `A pool's name is ${POOL_NAME_RULE}. Nothing was changed.`);
      if (body.driver.kind === "webhook") checkDriverUrl(deps, body.driver.url);
      const { store, clock } = deps;
      const { result: secret } = await update<Awaited<ReturnType<typeof read>>, string | null>(store, {
        read,
        decide: (before) => {
          if (before === null && [...store.view.pools.values()].length >= POOLS_MAX) {
            throw new Problem("quota_exceeded", `There may be ${POOLS_MAX} pools: delete one. Nothing was changed.`);
          }
          if (body.driver.kind === "command") checkDriverCommand(deps, body.driver.name, before?.value);
          const { driver, secret } = driverOf(deps, id, body, before?.value);
          const after = poolOf(id, body, driver, before?.value, clock.now());
          return { changes: [put("pools", before, after)], result: secret };
        },
      });
      audit(deps.log, "pool_set", { requestId: request.id, pool: id, byKeyId: keyOf(request).id });
      return reply.send({ ...recordOf(deps, { id }), secret });

      function read() {
        return store.get("pools", id);
      }
    },
  });
}

function driverOf(
  { secrets }: SecretDeps,
  id: string,
  { driver }: PoolRequest,
  before: Pool | undefined,
): { readonly driver: PoolDriver; readonly secret: string | null } {
  if (driver.kind === "command") return { driver, secret: null };
  const { url, new_secret: isNew } = driver;
  const known = before?.driver.kind === "webhook" && !isNew ? before.driver.secret : null;
  if (known !== null) return { driver: { kind: "webhook", url, secret: known }, secret: null };
  const { text, sealed } = newPoolSecret(secrets, id);
  return { driver: { kind: "webhook", url, secret: { sealed } }, secret: text };
}

function poolOf(id: string, body: PoolRequest, driver: PoolDriver, before: Pool | undefined, now: Instant): Pool {
  const { offer } = body;
  return {
    id,
    createdAt: before?.createdAt ?? now,
    min: body.min,
    max: body.max,
    warmSpare: body.warm_spare,
    cooldownMs: 1000 * body.cooldown_seconds,
    bootMs: 1000 * body.boot_seconds,
    costPerHour: body.cost_per_hour,
    budgetPerHour: body.budget_per_hour,
    budgetPerDay: body.budget_per_day,
    offer: {
      gpuType: offer.gpu_type,
      gpuCount: offer.gpu_count,
      gpuMemoryBytes: offer.gpu_memory_bytes,
      slots: offer.slots ?? (offer.gpu_count === 0 ? offer.cpu_cores : offer.gpu_count),
      cpuCores: offer.cpu_cores,
      memoryBytes: offer.memory_bytes,
      labels: offer.node_labels,
      containers: offer.containers,
      builtinProvers: offer.builtin_provers,
      shells: offer.shells,
    },
    driver,
    stopped: before?.stopped ?? null,
    resumedAt: before?.resumedAt ?? null,
  };
}
