/**
 * A token and a request for a certificate become a node with a certificate. That the token is used, and what the node
 * may show from now on, is one commit: of two machines with one token, one is let in.
 */
import { joinTokenText } from "../auth/id-secret-text.ts";
import { secretMatches } from "../auth/key-secret.ts";
import {
  isNodeName,
  type JoinToken,
  judgeToken,
  NODE_NAME_RULE,
  type TokenUse,
  usedToken,
} from "../domain/join-token.ts";
import { enrolled } from "../domain/node.ts";
import { exists } from "../domain/pool-machine.ts";
import type { PoolToken } from "../domain/pool-token.ts";
import type { Versioned } from "../domain/versioned.ts";
import { put, replace } from "../store/change.ts";
import type { Store, View } from "../store/store.ts";
import { type Decision, TooManyConflictsError, update } from "../store/update.ts";
import { enrollPoolMachine } from "./enroll-pool-machine.ts";
import type { EnrollmentContext } from "./enrollment-context.ts";
import { EnrollmentRefusal } from "./enrollment-refusal.ts";
import { issueToNode } from "./issue.ts";
import { digestOfKey, readRequestFor } from "./read-request.ts";

export interface EnrollmentRequest {
  readonly token: string;
  readonly nodeName: string;
  /** Of a pool's machine, as its driver names it; empty for any other, and where that is the node's name. */
  readonly machine: string;
  readonly csr: Buffer;
}

export interface Enrolled {
  readonly use: Pick<TokenUse, "certificatePem" | "notAfter">;
  /** False for the response that was given before. */
  readonly isFirst: boolean;
}

/** Throws an EnrollmentRefusal. */
export async function enrollNode(context: EnrollmentContext, given: EnrollmentRequest): Promise<Enrolled> {
  const { store, clock } = context;
  // The token first: who has none learns nothing of what else is wrong.
  const found = await readEither(store, given.token);
  if (found.kind === "pool") {
    const read = () => readPoolToken(store, given.token);
    const { enrollment, isFirst } = await enrollPoolMachine(context, read, given).catch(busyAfterConflicts);
    return { use: enrollment, isFirst };
  }
  if (!isNodeName(given.nodeName)) {
    throw new EnrollmentRefusal("invalid", `the node's name is not one: ${NODE_NAME_RULE}; give one with --node`);
  }
  const request = readRequestFor(given.nodeName, given.csr);
  const claimant = { nodeName: given.nodeName, publicKeySha256: digestOfKey(request) };
  const { result } = await update(store, {
    read: async () => {
      const token = await readToken(store, given.token);
      return { token, node: await store.get("nodes", claimant.nodeName) };
    },
    decide: ({ token, node }): Decision<Enrolled> => {
      const now = clock.now();
      const verdict = judgeToken(token.value, claimant, now);
      if (verdict.kind === "refused") throw refusal(verdict.why, token.value);
      if (verdict.kind === "again") return { changes: [], result: { use: verdict.use, isFirst: false } };
      if (node !== null && token.value.nodeName === null) throw nameIsTaken(claimant.nodeName);
      const poolId = node === null && token.value.nodeName === null ? poolOf(store.view, claimant.nodeName) : null;
      if (poolId !== null) throw nameIsOfPool(claimant.nodeName, poolId);
      // By revisions and not by instants: no clock decides whether an evicted machine returns.
      if (node?.value.state === "gone" && token.revision < node.revision) throw olderThanEviction(claimant.nodeName);
      const subject = { nodeName: claimant.nodeName, enrollmentId: token.value.id, publicKey: request.publicKey };
      const { pem, notAfter } = issueToNode(context.authority.current(), subject, now, context.certificateLifeMs);
      const use: TokenUse = { ...claimant, at: now, certificatePem: pem, notAfter };
      const as = { id: claimant.nodeName, enrolmentId: token.value.id, certificateEndsAt: notAfter };
      const after = enrolled(node?.value ?? null, as, now);
      const changes = [replace("join-tokens", token, usedToken(token.value, use)), put("nodes", node, after)];
      return { changes, result: { use, isFirst: true } };
    },
  }).catch(busyAfterConflicts);
  return result;
}

/** Whether the text is of a token that the view has, expired and used ones included; reads nothing from the store. */
export function isKnownToken({ view }: Pick<Store, "view">, text: string): boolean {
  const parsed = joinTokenText.parse(text);
  const token = parsed === null ? undefined : (view.joinTokens.get(parsed.id) ?? view.poolTokens.get(parsed.id));
  return parsed !== null && secretMatches(parsed.secret, token?.value.secretSha256 ?? null);
}

/** Of a machine, or of a pool: both have the same form. */
async function readEither(store: Store, text: string): Promise<{ readonly kind: "machine" | "pool" }> {
  const id = joinTokenText.parse(text)?.id;
  const isOfPool = id !== undefined && (await store.get("pool-tokens", id)) !== null;
  await (isOfPool ? readPoolToken(store, text) : readToken(store, text));
  return { kind: isOfPool ? "pool" : "machine" };
}

async function readPoolToken(store: Store, text: string): Promise<Versioned<PoolToken>> {
  const parsed = joinTokenText.parse(text);
  const token = parsed === null ? null : await store.get("pool-tokens", parsed.id);
  if (parsed === null || token === null || !secretMatches(parsed.secret, token.value.secretSha256)) throw noToken();
  return token;
}

async function readToken(store: Store, text: string): Promise<Versioned<JoinToken>> {
  const parsed = joinTokenText.parse(text);
  const token = parsed === null ? null : await store.get("join-tokens", parsed.id);
  const matches = parsed !== null && secretMatches(parsed.secret, token?.value.secretSha256 ?? null);
  if (token === null || !matches) throw noToken();
  return token;
}

function noToken(): EnrollmentRefusal {
  const why = "the token is not one of this installation: it is mistyped, was revoked or ended long ago";
  return new EnrollmentRefusal("denied", `${why}; ${ANOTHER}`);
}

const ANOTHER = "make another with `elastic-coordinator token create`";

function refusal(why: "expired" | "used" | "other_node", token: JoinToken): EnrollmentRefusal {
  switch (why) {
    case "expired":
      return new EnrollmentRefusal("denied", `the token has ended; ${ANOTHER}`);
    case "used":
      return new EnrollmentRefusal("denied", `the token was used already, with another key; ${ANOTHER}`);
    case "other_node": {
      const name = token.use?.nodeName ?? token.nodeName;
      return new EnrollmentRefusal(
        "denied",
        `the token is for node ${name}: enroll with --node ${name}, or ${ANOTHER}`,
      );
    }
  }
}

/** Whose driver names a machine so; null where none does. */
function poolOf({ poolMachines }: Pick<View, "poolMachines">, name: string): string | null {
  for (const { value } of poolMachines.values()) if (value.machine === name && exists(value)) return value.poolId;
  return null;
}

function nameIsOfPool(nodeName: string, poolId: string): EnrollmentRefusal {
  const what = `${nodeName} is a machine of pool ${poolId}, which joins with a token of the pool (elastic pool token ${poolId})`;
  return new EnrollmentRefusal("denied", `${what}; any other machine needs another name: choose it with --node`);
}

function busyAfterConflicts(error: unknown): never {
  if (!(error instanceof TooManyConflictsError)) throw error;
  throw new EnrollmentRefusal("busy", "the node's record changes too quickly; try again in a moment");
}

function olderThanEviction(nodeName: string): EnrollmentRefusal {
  return new EnrollmentRefusal("denied", `node ${nodeName} was evicted after the token was made; ${ANOTHER}`);
}

function nameIsTaken(nodeName: string): EnrollmentRefusal {
  const what = `there is a node ${nodeName} already`;
  const make = `make a token with --node ${nodeName} to enroll its machine again`;
  return new EnrollmentRefusal("denied", `${what}: choose another name with --node, or ${make}`);
}
