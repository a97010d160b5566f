/**
 * Deliveries of projects' webhooks. Nothing of one is read before its token is checked.
 * https://docs.gitlab.com/user/project/integrations/webhooks/
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Instant } from "@elastic/std/clock.ts";
import { z } from "zod";
import { parseJson } from "../host-api.ts";
import { commitIdSchema, idSchema } from "../host-records.ts";
import type { SourceDeliveryMessage } from "../source-host.ts";
import { projectOfToken } from "./webhook-token.ts";

const BRANCH = "refs/heads/";
/** In place of the commit of a branch that is deleted. */
const NO_COMMIT = "0".repeat(40);

const ofProjectSchema = z.object({ project_id: idSchema });
const pushSchema = z.object({
  object_kind: z.literal("push"),
  ref: z.string().startsWith(BRANCH).max(1_000),
  after: commitIdSchema.refine((commit) => commit !== NO_COMMIT),
});

/** Null for a delivery that GitLab did not send with the token of its project. */
export function readDelivery(
  headers: IncomingHttpHeaders,
  body: Buffer,
  secret: string,
  receivedAt: Instant,
): SourceDeliveryMessage | null {
  const repositoryId = projectOfToken(secret, String(headers["x-gitlab-token"] ?? ""));
  if (repositoryId === null) return null;
  // The first stays the same when GitLab tries again; servers before 17.4 have the second alone.
  const deliveryId = headers["idempotency-key"] ?? headers["x-gitlab-event-uuid"];
  if (typeof deliveryId !== "string" || !/^[\w-]{1,100}$/.test(deliveryId)) return null;
  // Whoever has the token can say anything for the project, so the bytes say nothing more than the id. They may also be the
  // same twice, where a branch is pushed back and forth.
  const message = { deliveryId, knownBy: [deliveryId], event: null };
  if (headers["x-gitlab-event"] !== "Push Hook") return message;
  const payload = parseJson(body.toString("utf8"));
  const project = ofProjectSchema.safeParse(payload).data;
  if (project !== undefined && project.project_id !== repositoryId) return null;
  const push = project === undefined ? undefined : pushSchema.safeParse(payload).data;
  if (push === undefined) return message;
  const { ref, after: commit } = push;
  const branch = ref.slice(BRANCH.length);
  return {
    ...message,
    event: { kind: "push", installationId: null, repositoryId, branch, commit, pushedAt: receivedAt },
  };
}
