/** POST /v1/pools/:id/tokens: a token with which the pool's machines join, and the line for their images. Only this response has it. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import {
  OPEN_POOL_TOKENS_MAX,
  POOL_TOKEN_SECONDS_DEFAULT,
  POOL_TOKEN_SECONDS_MAX,
  POOL_TOKEN_USES_MAX,
} from "../../domain/pool-token.ts";
import { enrollLine } from "../../enrollment/enroll-line.ts";
import { makePoolToken } from "../../enrollment/make-pool-token.ts";
import { poolTokenRecord, poolTokenSchema } from "../../public/pool-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { App } from "../endpoint/fastify-app.ts";
import type { EnrollmentDeps } from "../join-tokens/create-join-token.ts";
import { Problem } from "../problems/problem.ts";
import { type PoolDeps, readPool } from "./find-pool.ts";

const schema = {
  operationId: "createPoolToken",
  summary: "Make a token with which the machines of a pool join",
  tags: ["pools"],
  params: z.object({ id: z.string().describe("The pool's name.") }),
  body: z.strictObject({
    uses_max: z.int().min(1).max(POOL_TOKEN_USES_MAX).default(100).describe("Machines that it lets in."),
    expires_in_seconds: z.int().min(60).max(POOL_TOKEN_SECONDS_MAX).default(POOL_TOKEN_SECONDS_DEFAULT),
  }),
  response: {
    201: poolTokenSchema
      .extend({
        token: z.string().describe("It is shown here once."),
        ca_sha256: z.string().describe("By which the machines know the coordinators."),
        command: z.string().describe("The line to run on each machine; add `--machine`, as the driver names it."),
      })
      .meta({ id: "NewPoolToken" }),
    ...refusals(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
  },
};

export function createPoolToken(app: App, deps: CallerDeps & PoolDeps & EnrollmentDeps): void {
  app.route({
    method: "POST",
    url: "/v1/pools/:id/tokens",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "nodes"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { uses_max: usesMax, expires_in_seconds: seconds } = request.body;
      const { id: byKeyId, userId: creatorId } = keyOf(request);
      const read = () => readPool(deps, request.params.id);
      await read();
      const authority = (await deps.enrolment?.authority()) ?? null;
      if (deps.enrolment === null || authority === null) throw new Problem("no_enrolment", NO_ENROLMENT);
      const made = await makePoolToken(deps.store, read, { seconds, usesMax, creatorId }, deps.clock);
      if (made === null) throw new Problem("quota_exceeded", TOO_MANY);
      const { record, text: token } = made;
      audit(deps.log, "pool_token_created", {
        requestId: request.id,
        tokenId: record.id,
        pool: record.poolId,
        byKeyId,
      });
      const { coordinator } = deps.enrolment;
      const authoritySha256 = authority.certificate;
      const command = enrollLine({ coordinator, token, authoritySha256, nodeName: null });
      return reply.code(201).send({ ...poolTokenRecord(record), token, ca_sha256: authoritySha256, command });
    },
  });
}

const NO_ENROLMENT =
  "This installation enrolls no machines: its coordinators need ELASTIC_ENROLL_LISTEN, and no authority but their own.";
const TOO_MANY = `A pool may have ${OPEN_POOL_TOKENS_MAX} open join tokens: revoke some, or wait for their end.`;
