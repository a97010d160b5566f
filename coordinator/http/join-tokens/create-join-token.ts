/** POST /v1/join-tokens: a token for one machine, and the line to paste there. Only this response has it. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import {
  isNodeName,
  NODE_NAME_RULE,
  OPEN_TOKENS_MAX,
  TOKEN_SECONDS_DEFAULT,
  TOKEN_SECONDS_MAX,
} from "../../domain/join-token.ts";
import { enrollLine } from "../../enrollment/enroll-line.ts";
import type { EnrollmentAddress } from "../../enrollment/enrollment-address.ts";
import { makeJoinToken } from "../../enrollment/make-join-token.ts";
import { joinTokenRecord, joinTokenSchema } from "../../public/join-token-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { Problem } from "../problems/problem.ts";

const schema = {
  operationId: "createJoinToken",
  summary: "Make a token with which one machine joins",
  tags: ["nodes"],
  body: z.strictObject({
    node_name: z.string().max(64).refine(isNodeName, NODE_NAME_RULE).nullable().default(null),
    expires_in_seconds: z.int().min(1).max(TOKEN_SECONDS_MAX).default(TOKEN_SECONDS_DEFAULT),
  }),
  response: {
    201: joinTokenSchema
      .extend({
        token: z.string().describe("Works once. It is shown here once."),
        ca_sha256: z.string().describe("By which the machine knows the coordinators."),
        command: z.string().describe("The line to paste on the machine."),
      })
      .meta({ id: "NewJoinToken" }),
    ...refusals(400, 401, 403, 409, 413, 415, 422, 429, 503),
  },
};

export interface EnrollmentDeps {
  /** Null where machines are not enrolled. */
  readonly enrolment: EnrollmentAddress | null;
}

export function createJoinToken(app: App, deps: CallerDeps & RecordDeps & EnrollmentDeps): void {
  app.route({
    method: "POST",
    url: "/v1/join-tokens",
    schema,
    bodyLimit: SMALL_BODY_BYTES_MAX,
    onRequest: requireUnboundKey(deps, "nodes"),
    preValidation: parseSmallJson,
    handler: async (request, reply) => {
      const { node_name: nodeName, expires_in_seconds: seconds } = request.body;
      const caller = keyOf(request);
      const authoritySha256 = (await deps.enrolment?.authoritySha256()) ?? null;
      if (deps.enrolment === null || authoritySha256 === null) throw new Problem("no_enrolment", NO_ENROLMENT);
      const { coordinator } = deps.enrolment;
      const made = await makeJoinToken(deps.store, { nodeName, seconds, creatorId: caller.userId }, deps.clock);
      if (made === null) throw new Problem("quota_exceeded", TOO_MANY);
      const { record, text: token } = made;
      audit(deps.log, "join_token_created", {
        requestId: request.id,
        tokenId: record.id,
        nodeName,
        byKeyId: caller.id,
      });
      const command = enrollLine({ coordinator, token, authoritySha256, nodeName });
      return reply.code(201).send({ ...joinTokenRecord(record), token, ca_sha256: authoritySha256, command });
    },
  });
}

const NO_ENROLMENT =
  "This installation enrolls no machines: its coordinators need ELASTIC_ENROLL_LISTEN, and no authority but their own.";
const TOO_MANY = `There may be ${OPEN_TOKENS_MAX} open join tokens: revoke some, or wait for their end.`;
