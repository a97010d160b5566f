/**
 * GET and POST /v1/device/:user_code: the user sees which program wants to log in, and approves or declines. Whoever
 * approves creates a key of their own user.
 */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import type { AccessKey } from "../../domain/access-key.ts";
import type { DeviceCode, DeviceDecision } from "../../domain/device-code.ts";
import { deviceRecord, deviceSchema } from "../../public/device-record.ts";
import { refusals } from "../../public/refusals.ts";
import { replace } from "../../store/change.ts";
import { type CallerDeps, keyOf, requireUnboundKey, teamOf } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { endOfNewKey, refuseBeyond } from "../keys/new-key-request.ts";
import { requireRoomForKey } from "../keys/store-key.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { notFound } from "../problems/problem.ts";
import { CodeGuesses } from "./code-guesses.ts";
import { findDeviceCode } from "./find-device-code.ts";

const params = z.object({ user_code: z.string().describe("In any case, with or without its hyphen.") });

export function decideDevice(app: App, deps: CallerDeps & RecordDeps & QuotaDeps): void {
  const guesses = new CodeGuesses();
  app.route({
    method: "GET",
    url: "/v1/device/:user_code",
    schema: {
      operationId: "getDeviceLogin",
      summary: "Which program waits for its user's confirmation",
      tags: ["login"],
      params,
      response: { 200: deviceSchema, ...refusals(401, 403, 404, 422, 429, 503) },
    },
    onRequest: requireUnboundKey(deps, "keys"),
    handler: async (request, reply) => {
      const { value } = findDeviceCode(deps, guesses, keyOf(request).userId, request.params.user_code);
      return reply.send(deviceRecord(value));
    },
  });
  app.route({
    method: "POST",
    url: "/v1/device/:user_code",
    schema: {
      operationId: "decideDeviceLogin",
      summary: "Log a program in, or decline",
      tags: ["login"],
      params,
      body: z.strictObject({ approve: z.boolean() }),
      response: {
        204: z.null().describe("The program receives the decision at its next poll."),
        ...refusals(400, 401, 403, 404, 413, 415, 422, 429, 503),
      },
    },
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "keys"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const caller = keyOf(request);
      // Of a user whose role is too low, no code is looked up.
      const teamId = teamOf(deps, request);
      const code = findDeviceCode(deps, guesses, caller.userId, request.params.user_code);
      const decision = request.body.approve ? approval(deps, caller, code.value, teamId) : DECLINED;
      const outcome = await deps.store.commit([replace("device-codes", code, { ...code.value, decision })]);
      // Somebody else with the same code was faster.
      if (outcome.kind === "conflict") throw notFound("login");
      const { userCode, hostName, address } = code.value;
      const facts = { requestId: request.id, userId: caller.userId, byKeyId: caller.id, userCode, hostName, address };
      audit(deps.log, request.body.approve ? "device_approved" : "device_declined", facts);
      return reply.code(204).send(null);
    },
  });
}

const DECLINED: DeviceDecision = { kind: "declined" };

/** Throws the refusal where the caller may not make such a key. */
function approval(
  deps: QuotaDeps & Pick<RecordDeps, "store" | "clock">,
  caller: AccessKey,
  { scopes }: DeviceCode,
  defaultTeamId: string,
): DeviceDecision {
  refuseBeyond(deps.store.view, caller, { scopes: [...scopes], team_id: null });
  requireRoomForKey(deps, caller.userId);
  const { userId, id: byKeyId } = caller;
  return { kind: "approved", userId, defaultTeamId, byKeyId, keyExpiresAt: endOfNewKey(caller, {}, deps.clock.now()) };
}
