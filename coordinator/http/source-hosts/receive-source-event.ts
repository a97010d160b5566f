/** POST /v1/source-hosts/:host/webhook: what a source host reports. Its signature over the bytes that came opens it. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { refusals } from "../../public/refusals.ts";
import { applyEvent, concerns } from "../../source-hosts/apply-event.ts";
import type { OnPush } from "../../source-hosts/on-push.ts";
import { rememberDelivery } from "../../source-hosts/remember-delivery.ts";
import { addressOf, type CallerDeps } from "../access/caller.ts";
import { declaredBytes, FREE_BYTES } from "../body/body-budget.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { type NearlyFullDeps, refuseWhereNearlyFull } from "../limits/refuse-nearly-full.ts";
import { Problem } from "../problems/problem.ts";
import { findSourceHost, type SourceHostDeps } from "./find-source.ts";

/** A push of some thousand commits. */
const BODY_BYTES_MAX = 1024 * 1024;
/** Of bodies that are not small. They are anybody's until they have come, so one address has a small share. */
const LARGE_AT_ONCE_MAX = 256;
const LARGE_PER_ADDRESS_MAX = 8;
/** Hosts give up on a delivery that takes longer. */
const LARGE_WITHIN_MS = 10_000;

const schema = {
  operationId: "receiveSourceEvent",
  summary: "Receive an event of a source host",
  description:
    "For the source host's webhook, in JSON, with the signature or the token that the secret of the settings makes. Repeated deliveries change nothing.",
  tags: ["sources"],
  security: [],
  params: z.object({ host: z.string() }),
  body: z.unknown(),
  response: { 204: z.null().describe("Accepted."), ...refusals(400, 401, 404, 413, 415, 429, 503) },
};

export interface PushDeps {
  /** What a push to a service's branch starts. */
  readonly onPush: OnPush;
}

export function receiveSourceEvent(
  app: App,
  deps: RecordDeps & SourceHostDeps & Pick<CallerDeps, "admission"> & PushDeps & NearlyFullDeps,
): void {
  const large = new Map<string, number>();
  app.route({
    method: "POST",
    url: "/v1/source-hosts/:host/webhook",
    schema,
    // The host's own parameters, if its address has some.
    config: { takesAnyQuery: true },
    bodyLimit: BODY_BYTES_MAX,
    onRequest: async (request, reply) => {
      findSourceHost(deps.sourceHosts, request.params.host);
      if (declaredBytes(request.raw) <= FREE_BYTES) return;
      const address = addressOf(request as FastifyRequest);
      const own = large.get(address) ?? 0;
      if (own >= LARGE_PER_ADDRESS_MAX || sum(large) >= LARGE_AT_ONCE_MAX) {
        throw new Problem("overloaded", "Too many large events are on their way in.");
      }
      large.set(address, own + 1);
      const late = setTimeout(() => request.raw.destroy(), LARGE_WITHIN_MS);
      request.raw.once("end", () => clearTimeout(late));
      reply.raw.once("close", () => {
        clearTimeout(late);
        const left = (large.get(address) ?? 1) - 1;
        if (left === 0) large.delete(address);
        else large.set(address, left);
      });
    },
    handler: async (request, reply) => {
      await receive(deps, request as FastifyRequest, request.params.host);
      return reply.code(204).send(null);
    },
  });
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((all, one) => all + one, 0);
}

async function receive(
  deps: RecordDeps & SourceHostDeps & Pick<CallerDeps, "admission"> & PushDeps & NearlyFullDeps,
  request: FastifyRequest,
  name: string,
): Promise<void> {
  const { store, clock, log, sourceHosts } = deps;
  const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
  const message = findSourceHost(sourceHosts, name).readDelivery(request.headers, body);
  if (message === null) {
    deps.admission.rates.admitUnauthenticated(addressOf(request));
    throw new Problem("signature_invalid", "The event has no valid signature or token of this webhook.");
  }
  const { deliveryId, event } = message;
  // Events that concern nobody here are not stored.
  if (event === null || !concerns(store.view, name, event)) return;
  // The host has the delivery as failed, and can send it again; the next push builds the branch's head, too.
  if (event.kind === "push") refuseWhereNearlyFull(deps);
  const forget = await rememberDelivery(store, name, message, clock.now());
  if (forget === null) return;
  try {
    await applyEvent(deps, name, { deliveryId, event });
  } catch (error) {
    log.warn({ requestId: request.id, err: error, deliveryId }, "an event of a source host could not be carried out");
    await forget();
    throw error;
  }
  const { installationId } = event;
  audit(log, "source_event", { requestId: request.id, host: name, kind: event.kind, installationId, deliveryId });
}
