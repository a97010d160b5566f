/** POST /v1/device/code: a program without a browser begins to log in. Open to everybody, and so bounded by address. */
import { z } from "zod";
import { makeDeviceCode } from "../../auth/make-device-code.ts";
import {
  DEVICE_CODE_MS,
  DEVICE_CODES_MAX,
  DEVICE_CODES_PER_NETWORK,
  DEVICE_SCOPES,
  type DeviceCode,
  isDeviceCodeOver,
} from "../../domain/device-code.ts";
import { formatUserCode } from "../../domain/user-code.ts";
import { hostNameSchema } from "../../public/device-record.ts";
import { refusals } from "../../public/refusals.ts";
import { create, remove } from "../../store/change.ts";
import { addressOf, type CallerDeps } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Places } from "../limits/places.ts";
import { networkOf } from "../limits/rate-limits.ts";
import { Problem } from "../problems/problem.ts";
import { POLL_SECONDS } from "./device-polls.ts";

/** Of those that are over, in a commit. */
const REMOVED_MAX = 50;

const schema = {
  operationId: "createDeviceCode",
  summary: "Begin to log a program in",
  description:
    "As in RFC 8628, with JSON: the program shows `user_code` and `verification_uri` to its user, who types the code " +
    "there, and polls `/v1/device/token` with `device_code` meanwhile.",
  tags: ["login"],
  security: [],
  body: z.strictObject({
    host_name: hostNameSchema.describe("Of the machine that the program runs on; the user sees it."),
    scopes: z
      .array(z.enum(DEVICE_SCOPES))
      .min(1)
      .max(DEVICE_SCOPES.length)
      .optional()
      .describe("Of the access key; all that users have, if left out."),
  }),
  response: {
    200: z
      .object({
        device_code: z.string().describe("A secret of the program."),
        user_code: z.string(),
        verification_uri: z.string(),
        expires_in: z.int().describe("Seconds."),
        interval: z.int().describe("Seconds to wait between polls."),
      })
      .meta({ id: "DeviceCode" }),
    ...refusals(400, 401, 413, 415, 422, 429, 503),
  },
};

export function createDeviceCode(app: App, deps: CallerDeps): void {
  const places = new Places();
  app.route({
    method: "POST",
    url: "/v1/device/code",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: async (request) => deps.admission.rates.admitUnauthenticated(addressOf(request)),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { store, clock, publicUrl } = deps;
      const now = clock.now();
      const { host_name: hostName, scopes = DEVICE_SCOPES } = request.body;
      const codes = [...store.view.deviceCodes.values()];
      const address = addressOf(request);
      const open = codes.map(({ value }) => value).filter((code) => !isDeviceCodeOver(code, now));
      using held = new DisposableStack();
      for (const release of takeRoom(places, open, address)) held.defer(release);
      const isTaken = (userCode: string) => store.view.deviceCodes.countOf(userCode) > 0;
      const { record, text } = makeDeviceCode({ hostName, address, scopes: [...new Set(scopes)] }, isTaken, now);
      const over = codes.filter(({ value }) => isDeviceCodeOver(value, now)).slice(0, REMOVED_MAX);
      const changes = [create("device-codes", record), ...over.map((code) => remove("device-codes", code))];
      // Another request may have removed the same ones.
      if ((await store.commit(changes)).kind === "conflict") await store.commit([create("device-codes", record)]);
      return reply.send({
        device_code: text,
        user_code: formatUserCode(record.userCode),
        verification_uri: `${publicUrl()}/device`,
        expires_in: DEVICE_CODE_MS / 1000,
        interval: POLL_SECONDS,
      });
    },
  });
}

/** Until the code is stored: those that come at the same time count too. */
function* takeRoom(places: Places, open: readonly DeviceCode[], address: string): Iterable<() => void> {
  const network = networkOf(address);
  const ofNetwork = open.filter((code) => networkOf(code.address) === network).length;
  yield places.take(`network ${network}`, ofNetwork, DEVICE_CODES_PER_NETWORK) ?? refuse();
  yield places.take("all", open.length, DEVICE_CODES_MAX) ?? refuse();
}

function refuse(): never {
  throw new Problem("rate_limited", "Too many logins were begun and not finished; try again in some minutes.", {
    headers: { "retry-after": "60" },
  });
}
