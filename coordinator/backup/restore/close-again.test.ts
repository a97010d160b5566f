import { newId } from "@elastic/std/ids.ts";
import { expect, test } from "vitest";
import { anAuditEntry } from "../../archive/testing/audit-entries.ts";
import { newAccessKey } from "../../domain/access-key.ts";
import type { AuditEntry } from "../../domain/audit-entry.ts";
import type { Node } from "../../domain/node.ts";
import { aNewService, aTask, TEAM, USER } from "../../domain/testing/records.ts";
import { closeAgain } from "./close-again.ts";
import { LaterChanges } from "./later-changes.ts";

const AT = 1_800_000_000_000;

type Given = Partial<Omit<AuditEntry, "object">> & { readonly object: { readonly kind: string; readonly id: string } };

function later(...entries: readonly Given[]): LaterChanges {
  const changes = new LaterChanges();
  for (const { object, ...given } of entries) {
    changes.add(anAuditEntry({ at: AT, teamId: TEAM, before: {}, ...given, object: { ...object, name: "n" } }), true);
  }
  return changes;
}

const key = newAccessKey({
  id: "k",
  name: "key",
  userId: USER,
  teamId: null,
  defaultTeamId: TEAM,
  scopes: [],
  secretSha256: "",
  createdAt: 0,
  expiresAt: null,
});
const member = { userId: USER, teamId: TEAM, role: "admin", createdAt: 0 } as const;
const memberId = `${USER}/${TEAM}`;
const user = {
  id: USER,
  name: "ada",
  createdAt: 0,
  operator: true,
  authorizedKeys: [{ fingerprint: "one" }, { fingerprint: "two" }],
} as never;
const of = (kind: string, id: string) => ({ kind, id });

test("revokes a key that was revoked, alone or next to something else", () => {
  const revoked = later({ object: of("key", "k"), after: { revoked: true } });
  expect(closeAgain("access-keys", "k", key, revoked)?.after).toMatchObject({ revokedAt: AT });
  const lockedOut = later({ object: of("user", USER), also: [{ kind: "key", id: "k", name: null }], after: {} });
  expect(closeAgain("access-keys", "k", key, lockedOut)?.after).toMatchObject({ revokedAt: AT });
  expect(
    closeAgain("access-keys", "k", key, later({ object: of("key", "other"), after: { revoked: true } })),
  ).toBeNull();
});

test("leaves a key as it is that was made for a new user, or enabled after a restore", () => {
  const also = [{ kind: "key", id: "k", name: "key" }];
  const newUser = { object: of("user", USER), before: null, after: { user_name: "ada" } };
  const enabling = { object: of("key", "other"), before: { disabled: true }, after: {} };
  for (const given of [newUser, enabling]) {
    expect(closeAgain("access-keys", "k", key, later({ ...given, also, alsoLeftOut: 0 }))).toBeNull();
    // As an earlier version wrote it.
    expect(closeAgain("access-keys", "k", key, later({ ...given, also }))).toBeNull();
  }
});

test("ends what is marked as ended next to another change, and only that", () => {
  const also = [
    { kind: "key", id: "k", name: "key", ended: true },
    { kind: "member", id: USER, name: null },
  ] as const;
  const changes = later({ object: of("team", TEAM), also, alsoLeftOut: 0, after: {} });
  expect(closeAgain("access-keys", "k", key, changes)?.closed).toBe("keys revoked");
  expect(closeAgain("memberships", memberId, member, changes)).toBeNull();
  const left = { ...also[1], ended: true } as const;
  const removed = later({ object: of("team", TEAM), also: [left], alsoLeftOut: 0, after: {} });
  expect(closeAgain("memberships", memberId, member, removed)?.closed).toBe("members removed");
});

test("keeps a member that left, and came back next to another change", () => {
  const back = later(
    { object: of("member", USER), before: { role: "admin" }, after: null },
    { object: of("user", USER), also: [{ kind: "member", id: USER, name: null }], alsoLeftOut: 0, after: {} },
  );
  expect(closeAgain("memberships", memberId, member, back)).toBeNull();
});

test("removes a member that left, and gives only lower roles", () => {
  const left = later({ object: of("member", USER), before: { role: "admin" }, after: null });
  expect(closeAgain("memberships", memberId, member, left)).toEqual({ closed: "members removed", after: null });
  const lowered = later({ object: of("member", USER), after: { role: "viewer" } });
  expect(closeAgain("memberships", memberId, member, lowered)?.after).toMatchObject({ role: "viewer" });
  expect(
    closeAgain("memberships", memberId, member, later({ object: of("member", USER), after: { role: "owner" } })),
  ).toBeNull();
  const otherTeam = later({ object: of("member", USER), teamId: newId(9), after: null });
  expect(closeAgain("memberships", memberId, member, otherTeam)).toBeNull();
});

test("keeps a member that left and came back before the backup", () => {
  const back = later(
    { object: of("member", USER), before: { role: "admin" }, after: null },
    { object: of("member", USER), before: null, after: { role: "admin" } },
  );
  expect(closeAgain("memberships", memberId, member, back)).toBeNull();
});

test("ends what users, teams and nodes may no longer do", () => {
  const gone = later({ object: of("user", USER), after: { deleted: true } });
  expect(closeAgain("users", USER, user, gone)?.after).toEqual({
    id: USER,
    name: "ada",
    createdAt: 0,
    deleted: { at: AT },
  });
  const lessTrusted = later({ object: of("user", USER), after: { operator: false, authorized_keys: ["two"] } });
  expect(closeAgain("users", USER, user, lessTrusted)?.after).toEqual({
    id: USER,
    name: "ada",
    createdAt: 0,
    authorizedKeys: [{ fingerprint: "two" }],
  });
  const team = { id: TEAM, name: "t", createdAt: 0 };
  const deletedTeam = later({ object: of("team", TEAM), userId: USER, after: { deleted: true } });
  expect(closeAgain("teams", TEAM, team, deletedTeam)?.after).toMatchObject({ deleted: { at: AT, byUserId: USER } });
});

test("evicts a node again, unless it was enrolled again since", () => {
  const evicted = later({ object: of("node", "gpu-7"), after: { evicted: true } });
  const node = { id: "gpu-7", state: "ready", since: AT - 1 } as Node;
  expect(closeAgain("nodes", "gpu-7", node, evicted)?.after).toMatchObject({ state: "gone", evictedAt: AT });
  expect(closeAgain("nodes", "gpu-7", { ...node, since: AT + 1 }, evicted)).toBeNull();
});

test("deletes a service again, and frees its name", () => {
  const service = aNewService();
  const deleted = later({ object: of("service", service.id), after: { state: "deleted" } });
  expect(closeAgain("services", service.id, service, deleted)?.after).toMatchObject({
    state: { kind: "deleted", at: AT },
  });
  const claim = { id: `${TEAM}/prover`, teamId: TEAM, serviceId: service.id };
  expect(closeAgain("service-names", claim.id, claim, deleted)?.after).toBeNull();
  expect(closeAgain("service-names", claim.id, { ...claim, serviceId: newId(8) }, deleted)).toBeNull();
});

test("cancels an open task again", () => {
  const task = aTask(aNewService());
  const cancelled = later({ object: of("task", task.id), after: { phase: "cancelled" } });
  expect(closeAgain("tasks", task.id, task, cancelled)?.after).toMatchObject({ phase: { kind: "cancelled" } });
});

test("names what was changed after the backup and is lost, and not what is ended again or voided", () => {
  const changes = later(
    { object: of("service", "s"), before: null, after: { service_name: "late" }, action: "createService" },
    { object: of("key", "k"), after: { revoked: true } },
    { object: of("session", "x"), before: null, after: {} },
  );
  changes.add(anAuditEntry({ object: { kind: "service", id: "early", name: null } }), false);
  expect(changes.lost()).toEqual({
    total: 1,
    changes: [expect.objectContaining({ action: "createService", id: "s" })],
  });
});
