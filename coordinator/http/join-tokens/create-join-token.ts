/** POST /v1/join-tokens: a token for one machine, and the line to paste there. Only this response has it. */
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { OF_NO_TEAM } from "../../domain/audit-entry.ts";
import {
  isNodeName,
  type JoinToken,
  NODE_NAME_RULE,
  OPEN_TOKENS_MAX,
  TOKEN_SECONDS_DEFAULT,
  TOKEN_SECONDS_MAX,
} from "../../domain/join-token.ts";
import { enrollLine } from "../../enrollment/enroll-line.ts";
import type { EnrollmentAddress } from "../../enrollment/enrollment-address.ts";
import { type MadeJoinToken, makeJoinToken } from "../../enrollment/make-join-token.ts";
import { installLine } from "../../program-releases/install-line.ts";
import { installOffer } from "../../program-releases/install-offer.ts";
import type { ReleasesPlace } from "../../program-releases/releases-folder.ts";
import { joinTokenRecord, joinTokenSchema } from "../../public/join-token-record.ts";
import { refusals } from "../../public/refusals.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import { parseSmallJson, SMALL_BODY_BYTES_MAX } from "../body/raw-json.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { OneTimeCreations, secretOnceHeaders } from "../idempotency/create-once.ts";
import { notFound, Problem } from "../problems/problem.ts";

const schema = {
  operationId: "createJoinToken",
  summary: "Make a token with which one machine joins",
  tags: ["nodes"],
  headers: secretOnceHeaders,
  body: z.strictObject({
    node_name: z.string().max(64).refine(isNodeName, NODE_NAME_RULE).nullable().default(null),
    expires_in_seconds: z.int().min(1).max(TOKEN_SECONDS_MAX).default(TOKEN_SECONDS_DEFAULT),
  }),
  response: {
    200: joinTokenSchema,
    201: joinTokenSchema
      .extend({
        token: z.string().describe("Works once. It is shown here once."),
        ca_sha256: z.string().describe("By which the machine knows the coordinators."),
        command: z.string().describe("The line to paste on the machine, where the agent is installed."),
        install_command: z
          .string()
          .nullable()
          .describe(
            "The line that installs the agent in addition, as root; null where there is no release to install.",
          ),
      })
      .meta({ id: "NewJoinToken" }),
    ...refusals(400, 401, 403, 409, 413, 415, 422, 429, 503),
  },
};

export interface EnrollmentDeps {
  /** Null where machines are not enrolled. */
  readonly enrolment: EnrollmentAddress | null;
  /** Where there are releases for machines to install. */
  readonly releases: ReleasesPlace;
}

export function createJoinToken(app: App, deps: CallerDeps & RecordDeps & EnrollmentDeps): void {
  const creations = new OneTimeCreations(deps, schema.operationId);
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
      const authority = (await deps.enrolment?.authority()) ?? null;
      if (deps.enrolment === null || authority === null) throw new Problem("no_enrolment", NO_ENROLMENT);
      const { coordinator } = deps.enrolment;
      const { made, isReplay } = await creations.run<Made>({
        request,
        teamId: OF_NO_TEAM,
        userId: caller.userId,
        find: async (id) => {
          const found = await deps.store.get("join-tokens", id);
          if (found === null) throw notFound("join token");
          return { record: found.value, text: null };
        },
        make: async (also) => {
          const wanted = { nodeName, seconds, creatorId: caller.userId, also };
          const token = await makeJoinToken(deps.store, wanted, deps.clock);
          if (token === null) throw new Problem("quota_exceeded", TOO_MANY);
          return token;
        },
      });
      const { record, text: token } = made;
      if (isReplay) reply.header("idempotent-replayed", "true");
      if (token === null) return reply.code(200).send(joinTokenRecord(record));
      // Who waits for a token gets it, whatever is wrong with the releases.
      const complain = (complaint: string): void => deps.log.warn({ complaint }, "a release is not offered");
      const offer = await installOffer(deps.releases, complain).catch((error: unknown) => {
        deps.log.warn({ err: error }, "the releases cannot be read");
        return null;
      });
      audit(deps.log, "join_token_created", {
        requestId: request.id,
        tokenId: record.id,
        nodeName,
        byKeyId: caller.id,
      });
      const line = { coordinator, token, nodeName };
      return reply.code(201).send({
        ...joinTokenRecord(record),
        token,
        ca_sha256: authority.certificate,
        command: enrollLine({ ...line, authoritySha256: authority.certificate }),
        install_command: offer === null ? null : installLine({ ...line, authorityFileSha256: authority.file }, offer),
      });
    },
  });
}

/** Without its text: what an earlier request has made. */
type Made = MadeJoinToken | { readonly record: JoinToken; readonly text: null };

const NO_ENROLMENT =
  "This installation enrolls no machines: its coordinators need ELASTIC_ENROLL_LISTEN, and no authority but their own.";
const TOO_MANY = `There may be ${OPEN_TOKENS_MAX} open join tokens: revoke some, or wait for their end.`;
