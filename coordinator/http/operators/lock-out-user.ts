/**
 * POST /v1/operators/users/:id/lock-out: every access key, SSH key and session of the user ends, and what would become one. The user
 * stays, and so do teams.
 */
import { pause } from "@elastic/std/pause.ts";
import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { audit } from "../../auth/audit.ts";
import { revoked } from "../../domain/access-key.ts";
import { refusals } from "../../public/refusals.ts";
import { remove, replace } from "../../store/change.ts";
import type { Change, Store } from "../../store/store.ts";
import { update } from "../../store/update.ts";
import { type CallerDeps, keyOf, requireUnboundKey } from "../access/caller.ts";
import type { RecordDeps } from "../deps/record-deps.ts";
import type { App } from "../endpoint/fastify-app.ts";
import { readUser } from "./find-user.ts";

/** Of changes in a commit: what the audit log names of one has an end too. */
const CHANGES_MAX = 20;
const BEHIND_MS = 20;
const NEVER = new AbortController().signal;

const schema = {
  operationId: "lockOutUser",
  summary: "Revoke all access keys, SSH keys and invitations of a user, and log the user out in every browser",
  description:
    "Within a second at every coordinator. Members of the team are removed by its owners. A user whose account is at a login " +
    "provider can log in again: to prevent that, remove the account there, or the user from the teams.",
  tags: ["operators"],
  params: z.object({ id: z.string() }),
  response: { 204: z.null().describe("Nothing of the user opens anything."), ...refusals(401, 403, 404, 429, 503) },
};

export function lockOutUser(app: App, deps: CallerDeps & RecordDeps): void {
  app.route({
    method: "POST",
    url: "/v1/operators/users/:id/lock-out",
    schema,
    onRequest: requireUnboundKey(deps, "admin"),
    handler: async (request, reply) => {
      const { id: userId } = await readUser(deps.store, request.params.id);
      await endAll(deps, request, userId);
      return reply.code(204).send(null);
    },
  });
}

async function endAll(deps: RecordDeps, request: FastifyRequest, userId: string): Promise<void> {
  const { store, log } = deps;
  const end = () =>
    update(store, {
      read: async (isAgain) => {
        // A last use or a login came in between: the view has it in a moment.
        if (isAgain) await pause(BEHIND_MS, NEVER);
        return openWays(deps, userId).slice(0, CHANGES_MAX);
      },
      decide: (changes) => ({ changes, result: changes }),
    });
  const facts = { requestId: request.id, userId, byKeyId: keyOf(request).id };
  for (let ended = await end(); ended.isChanged; ended = await end()) {
    for (const change of ended.result) {
      if (!("record" in change)) continue;
      if (change.record === "access-keys") audit(log, "key_revoked", { ...facts, keyId: change.id });
      if (change.record === "sessions") audit(log, "session_ended", { ...facts, sessionId: change.id });
    }
  }
}

/** The ends of access keys, sessions, and of what would become one. */
function openWays({ store, clock }: Pick<RecordDeps, "store" | "clock">, userId: string): readonly Change[] {
  const keys = [...store.view.accessKeys.values()].filter(
    ({ value }) => value.userId === userId && value.revokedAt === null,
  );
  return [
    ...waysIn(store, userId),
    ...keys.map((key) => replace("access-keys", key, revoked(key.value, clock.now()))),
    ...[...store.view.sessions.of(userId)].map((session) => remove("sessions", session)),
  ];
}

/**
 * Keys for SSH, invitations of the user's with which another account could come back, login links that nobody has opened, and
 * logins of programs that the user has confirmed, whose keys are still to be fetched.
 */
function waysIn({ view }: Store, userId: string): readonly Change[] {
  const user = view.users.get(userId);
  const hasSshKeys = (user?.value.authorizedKeys ?? []).length > 0;
  const invitations = [...view.invitations.values()].filter(({ value }) => value.creatorId === userId);
  const links = [...view.loginLinks.values()].filter(({ value }) => value.userId === userId);
  const devices = [...view.deviceCodes.values()].filter(
    ({ value: { decision } }) => decision?.kind === "approved" && decision.userId === userId,
  );
  return [
    ...(user !== undefined && hasSshKeys ? [replace("users", user, { ...user.value, authorizedKeys: [] })] : []),
    ...invitations.map((invitation) => remove("invitations", invitation)),
    ...links.map((link) => remove("login-links", link)),
    ...devices.map((code) => remove("device-codes", code)),
  ];
}
