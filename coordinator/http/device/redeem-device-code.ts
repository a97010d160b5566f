/** POST /v1/device/token: a program requests the key that its user has approved. It receives the key once. */
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { recheck } from "../../auth/authenticate.ts";
import { mayUseTeam } from "../../auth/authorize.ts";
import { deviceCodeText } from "../../auth/id-secret-text.ts";
import { secretMatches } from "../../auth/key-secret.ts";
import { type MadeKey, makeKey } from "../../auth/make-key.ts";
import { type DeviceApproval, type DeviceCode, isDeviceCodeOver } from "../../domain/device-code.ts";
import type { Versioned } from "../../domain/versioned.ts";
import { newKeyRecord, newKeyRecordSchema } from "../../public/key-record.ts";
import { refusals } from "../../public/refusals.ts";
import { remove } from "../../store/change.ts";
import { addressOf, type CallerDeps, countUnauthenticated } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { storeKey } from "../keys/store-key.ts";
import type { QuotaDeps } from "../limits/quota-book.ts";
import { Problem } from "../problems/problem.ts";
import { DevicePolls } from "./device-polls.ts";

const schema = {
  operationId: "redeemDeviceCode",
  summary: "Request the access key of a program's login",
  description:
    "Refused with the codes of RFC 8628 until the user has decided: `authorization_pending`, `slow_down` (wait five " +
    "seconds longer from then on), `access_denied`, `expired_token`.",
  tags: ["login"],
  security: [],
  body: z.strictObject({ device_code: z.string() }),
  response: { 200: newKeyRecordSchema, ...refusals(400, 401, 413, 415, 422, 429, 503) },
};

export function redeemDeviceCode(app: App, deps: RecordDeps & QuotaDeps & Pick<CallerDeps, "admission">): void {
  const polls = new DevicePolls();
  app.route({
    method: "POST",
    url: "/v1/device/token",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: async (request) => deps.admission.rates.admitUnauthenticated(addressOf(request)),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { store, clock } = deps;
      const code = await readCode(deps, request, request.body.device_code);
      const { id, decision } = code.value;
      if (decision === null) {
        if (polls.isTooSoon(id, clock.monotonicMs())) throw new Problem("slow_down", "Wait for five seconds longer.");
        throw new Problem("authorization_pending", "The user has not decided yet.");
      }
      polls.forget(id);
      if (decision.kind === "declined") {
        await store.commit([remove("device-codes", code)]);
        throw denied();
      }
      const made = keyFor(deps, code.value, decision);
      await storeKey(deps, made.record, async () => [
        remove("device-codes", await readCode(deps, request, request.body.device_code)),
      ]);
      const { id: keyId, userId, scopes, expiresAt } = made.record;
      const facts = { keyId, userId, teamId: null, scopes, expiresAt, byKeyId: decision.byKeyId };
      audit(deps.log, "key_created", { requestId: request.id, ...facts });
      return reply.send(newKeyRecord(made));
    },
  });
}

/** One that still works. */
async function readCode(
  deps: Pick<CallerDeps, "store" | "clock" | "admission">,
  request: FastifyRequest,
  text: string,
): Promise<Versioned<DeviceCode>> {
  const { store, clock } = deps;
  const parsed = deviceCodeText.parse(text);
  const code = parsed === null ? null : await store.get("device-codes", parsed.id);
  const matches = parsed !== null && secretMatches(parsed.secret, code?.value.secretSha256 ?? null);
  if (code !== null && matches && !isDeviceCodeOver(code.value, clock.now())) return code;
  countUnauthenticated(deps, request, { why: "device_code_invalid", keyId: null });
  throw new Problem("expired_token", "This login was used, has expired, or is unknown: begin again.");
}

/** For all teams of the user, in which the user must still be. What confirmed it, a session or key, must still be valid too. */
function keyFor(
  { store, clock }: Pick<RecordDeps, "store" | "clock">,
  { hostName, scopes }: DeviceCode,
  approval: DeviceApproval,
): MadeKey {
  const { userId, defaultTeamId, byKeyId: madeBy, keyExpiresAt: expiresAt } = approval;
  const name = `login on ${hostName}`;
  if (recheck(store.view, madeBy, clock.now()).kind === "refused") throw denied();
  const made = makeKey({
    name,
    userId,
    teamId: null,
    defaultTeamId,
    scopes,
    createdAt: clock.now(),
    expiresAt,
    madeBy,
  });
  if (!mayUseTeam(store.view, made.record, defaultTeamId)) throw denied();
  return made;
}

function denied(): Problem {
  return new Problem("access_denied", "The user declined the login, or has logged out since.");
}
