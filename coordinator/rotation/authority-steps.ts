/**
 * Which step of a rotation of the nodes' authority may be done, and which is next: pure.
 *
 *   one root ──stage──▶ next to it another, trusted ──promote──▶ that one issues ──retire──▶ one root
 */

import type { Instant } from "@elastic/std/clock.ts";
import { counted } from "@elastic/std/counted.ts";
import type { JoinToken } from "../domain/join-token.ts";
import type { Node } from "../domain/node.ts";
import { type Root, rootOf } from "../enrollment/authority-record.ts";
import type { AuthorityRecord } from "../store/authority-claim.ts";
import type { HeldKeys, Holders } from "../store/held-keys.ts";

export type AuthorityStep = "stage" | "promote" | "retire";

export interface AuthorityState {
  readonly record: AuthorityRecord;
  readonly holders: Holders;
  readonly nodes: readonly Node[];
  readonly joinTokens: readonly JoinToken[];
  readonly now: Instant;
}

const DAY_MS = 86_400_000;
/** Certificates of nodes last a day at most: within so long every machine that is up has one of the new root. */
const ROTATION_MS = 3 * DAY_MS;
/** What a new root is good for at least. */
const ROOT_LIFE_MS_MIN = 30 * DAY_MS;

export function nextAuthorityStep({ record }: Pick<AuthorityState, "record">): AuthorityStep {
  if (record.next !== undefined) return "promote";
  return record.previous === undefined ? "stage" : "retire";
}

/** Null for a step that may be done. `isForced`: whatever becomes of machines. */
export function whyNotAuthorityStep(step: AuthorityStep, state: AuthorityState, isForced = false): string | null {
  const [silent] = state.holders.silent;
  if (silent !== undefined) {
    return `the coordinator at ${silent} runs an earlier version, which does not report its roots: update it first`;
  }
  switch (step) {
    case "stage":
      return whyNotStage(state, isForced);
    case "promote":
      return whyNotPromote(state);
    case "retire":
      return whyNotRetire(state, isForced);
  }
}

/** Whether the staged root is to be replaced, since it would end too soon. */
export function isStagedTooShort({ record, now }: Pick<AuthorityState, "record" | "now">): boolean {
  return record.next !== undefined && rootOf(record.next.certificate).validTo - now < ROOT_LIFE_MS_MIN;
}

export const trusts =
  (sha256: string) =>
  ({ authority, complaint }: HeldKeys): boolean =>
    authority === null || (complaint === null && authority.trusts.includes(sha256));

export const issuesFrom =
  (sha256: string) =>
  ({ authority, complaint }: HeldKeys): boolean =>
    authority === null || (complaint === null && authority.issues === sha256);

export const trustsAlone =
  (sha256: string) =>
  ({ authority, complaint }: HeldKeys): boolean =>
    authority === null || (complaint === null && authority.trusts.join() === sha256);

export function coordinatorsNot({ known }: Holders, isReady: (held: HeldKeys) => boolean): readonly string[] {
  return known
    .filter((held) => !isReady(held))
    .map(({ name, authority, complaint }) => {
      const root = authority === null ? "has no root" : `issues from root ${short(authority.issues)}`;
      return `${name} ${root}${complaint === null ? "" : ` (${complaint})`}`;
    });
}

/** Who would be cut off without the earlier root, and why; those whose certificate has ended are cut off already. */
export function cutOffByRetiring({ record, nodes, joinTokens, now }: AuthorityState): readonly string[] {
  const active = rootOf(record.certificate);
  const machines = nodes.flatMap((node) => {
    const why = whyCutOff(node, active, record.previous?.promotedAt ?? now, now);
    return why === null ? [] : [`node ${node.id} (${why})`];
  });
  const open = joinTokens.filter(({ use, expiresAt }) => use === null && expiresAt > now);
  if (open.length === 0) return machines;
  const ends = new Date(Math.max(...open.map(({ expiresAt }) => expiresAt))).toISOString().slice(0, 16);
  return [...machines, `${counted(open.length, "join line")} not pasted yet (the last one ends at ${ends}Z)`];
}

function whyCutOff(node: Node, active: Root, promotedAt: Instant, now: Instant): string | null {
  const { state, enrolmentId, trust, agentVersion } = node;
  if (state === "gone" || enrolmentId === undefined) return null;
  if (trust === undefined) return promotedAt + DAY_MS < now ? null : `${state}, has not connected since`;
  if (trust.certificateEndsAt <= now) return null;
  if (trust.issuer !== active.name) return `${state}, has a certificate of the earlier root`;
  if (trust.roots === undefined) return `its agent ${agentVersion} does not report which roots it trusts: update it`;
  return trust.roots.includes(active.sha256) ? null : `${state}, does not trust the new root yet`;
}

function whyNotStage(state: AuthorityState, isForced: boolean): string | null {
  const { record, holders, now } = state;
  if (record.previous !== undefined) return "the earlier root is still to be retired: first `authority retire`";
  const active = rootOf(record.certificate);
  const others = coordinatorsNot(holders, issuesFrom(active.sha256));
  if (others.length > 0) return `not every coordinator issues from root ${short(active.sha256)}: ${others.join("; ")}`;
  // A `retire` that was killed may not have been confirmed.
  const trusting = record.next === undefined ? holders.known.filter((held) => !trustsAlone(active.sha256)(held)) : [];
  if (trusting.length > 0) {
    const names = trusting.map(({ name }) => name).join(", ");
    return `${names} still trusts a root that was retired: wait a second, or see its log`;
  }
  if (isForced || active.validTo - now >= ROTATION_MS) return null;
  const ends = new Date(active.validTo).toISOString();
  return (
    `root ${short(active.sha256)} ends on ${ends}, before every machine has a certificate of another one: stage with ` +
    "--force, promote at once, and enroll those machines again that have not renewed by then"
  );
}

function whyNotPromote(state: AuthorityState): string | null {
  const { record, holders, now } = state;
  const { next } = record;
  if (next === undefined) {
    return record.previous === undefined ? "no root is staged: first `authority stage`" : null;
  }
  const root = rootOf(next.certificate);
  if (isStagedTooShort(state) || root.validFrom > now) {
    const valid = `is valid from ${new Date(root.validFrom).toISOString()} to ${new Date(root.validTo).toISOString()}`;
    return `the staged root ${short(root.sha256)} ${valid}: set this machine's clock if that is wrong, else \`authority stage\` again`;
  }
  const others = coordinatorsNot(holders, trusts(root.sha256));
  if (others.length === 0) return null;
  return `not every coordinator trusts root ${short(root.sha256)}: ${others.join("; ")}. Wait, or restart them`;
}

function whyNotRetire(state: AuthorityState, isForced: boolean): string | null {
  const { record, holders } = state;
  if (record.previous === undefined) {
    return record.next === undefined
      ? "there is one root: a rotation begins with `authority stage`"
      : "the staged root does not issue yet: first `authority promote`";
  }
  const { sha256 } = rootOf(record.certificate);
  const others = coordinatorsNot(holders, issuesFrom(sha256));
  if (others.length > 0) return `not every coordinator issues from root ${short(sha256)}: ${others.join("; ")}`;
  const cutOff = cutOffByRetiring(state);
  if (isForced || cutOff.length === 0) return null;
  return (
    `without the earlier root would be cut off: ${cutOff.join(", ")}. Machines that are up renew within a minute; ` +
    "evict those that do not return, or retire with --force and enroll them again"
  );
}

/** Enough to distinguish two roots. */
function short(sha256: string): string {
  return sha256.slice(0, 12);
}
