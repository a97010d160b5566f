/**
 * Deliveries of the app's webhook. Nothing of one is read before its signature is checked.
 * https://docs.github.com/webhooks/using-webhooks/validating-webhook-deliveries
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { z } from "zod";
import { parseJson } from "../host-api.ts";
import { commitIdSchema, idSchema } from "../host-records.ts";
import type { SourceDeliveryMessage, SourceEvent } from "../source-host.ts";

const BRANCH = "refs/heads/";

const installation = z.object({ id: idSchema });
/** Seconds in these events, and a date elsewhere. */
const pushedAtSchema = z.union([
  z
    .int()
    .positive()
    .transform((seconds) => 1000 * seconds),
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
]);
const pushSchema = z.object({
  ref: z.string().startsWith(BRANCH).max(1_000),
  after: commitIdSchema,
  deleted: z.literal(false),
  repository: z.object({ id: idSchema, fork: z.literal(false), pushed_at: pushedAtSchema }),
  installation,
});
const installationSchema = z.object({ action: z.enum(["deleted", "suspend", "unsuspend"]), installation });
const removalSchema = z.object({
  action: z.literal("removed"),
  installation,
  repositories_removed: z.array(z.object({ id: idSchema })).max(100_000),
});

const KIND_OF_ACTION = { deleted: "uninstalled", suspend: "suspended", unsuspend: "resumed" } as const;

/** Null for a delivery that GitHub did not sign with the secret. */
export function readDelivery(headers: IncomingHttpHeaders, body: Buffer, secret: string): SourceDeliveryMessage | null {
  const { "x-github-delivery": deliveryId, "x-github-event": name, "x-hub-signature-256": signature } = headers;
  if (!isSigned(String(signature ?? ""), body, secret)) return null;
  if (typeof deliveryId !== "string" || !/^[\w-]{1,100}$/.test(deliveryId)) return null;
  // GitHub does not sign the id: whoever repeats the bytes under another id repeats the delivery.
  const knownBy = [deliveryId, `sha256-${createHash("sha256").update(body).digest("hex")}`];
  return { deliveryId, knownBy, event: eventOf(String(name), body) };
}

function isSigned(signature: string, body: Buffer, secret: string): boolean {
  const [, digest] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? [];
  const expected = createHmac("sha256", secret).update(body).digest();
  return digest !== undefined && timingSafeEqual(Buffer.from(digest, "hex"), expected);
}

/** Null for what is no event that matters here: pushes of tags and to forks, deleted branches, pull requests, pings. */
function eventOf(name: string, body: Buffer): SourceEvent | null {
  const payload = parseJson(body.toString("utf8"));
  if (name === "push") {
    const push = pushSchema.safeParse(payload).data;
    return push === undefined ? null : pushOf(push);
  }
  if (name === "installation") {
    const change = installationSchema.safeParse(payload).data;
    return change === undefined
      ? null
      : { kind: KIND_OF_ACTION[change.action], installationId: change.installation.id };
  }
  const removal = name === "installation_repositories" ? removalSchema.safeParse(payload).data : undefined;
  if (removal === undefined) return null;
  const repositoryIds = removal.repositories_removed.map(({ id }) => id);
  return { kind: "repositories_removed", installationId: removal.installation.id, repositoryIds };
}

function pushOf({ ref, after, repository, installation: { id } }: z.output<typeof pushSchema>): SourceEvent {
  return {
    kind: "push",
    installationId: id,
    repositoryId: repository.id,
    branch: ref.slice(BRANCH.length),
    commit: after,
    pushedAt: repository.pushed_at,
  };
}
