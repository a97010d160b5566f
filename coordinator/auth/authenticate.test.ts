import { expect, test } from "vitest";
import { type AccessKey, disabled, enabled, USER_SCOPES } from "../domain/access-key.ts";
import { OPERATOR_LOGIN_MS, SESSION_AGE_MS_MAX, SESSION_IDLE_MS, type Session } from "../domain/session.ts";
import type { Membership, Team, User } from "../domain/team.ts";
import type { GroupedView, RecordView } from "../store/store.ts";
import { authenticate, authenticateSession, recheck, VIEW_AGE_MAX_MS } from "./authenticate.ts";
import { hasScope, mayUseTeam, teamOfCall, teamsOf } from "./authorize.ts";
import { hashSecret } from "./key-secret.ts";
import { formatKeyText, newKeyText } from "./key-text.ts";
import { makeSession } from "./make-session.ts";

const NOW = 1_800_000_000_000;
const text = newKeyText();
const key: AccessKey = {
  id: text.id,
  name: "test",
  userId: "user-a",
  teamId: null,
  defaultTeamId: "team-a",
  scopes: ["tasks:read"],
  secretSha256: hashSecret(text.secret),
  createdAt: NOW,
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

test("the right secret gives the key, and each refusal says why", () => {
  const keys = viewOf(key);
  expect(authenticate(keys, formatKeyText(text), NOW)).toEqual({ kind: "key", key });
  expect(authenticate(keys, undefined, NOW)).toEqual({ kind: "refused", why: "missing", keyId: null });
  expect(authenticate(keys, "eps_wrong", NOW)).toEqual({ kind: "refused", why: "malformed", keyId: null });
  const sameIdOtherSecret = formatKeyText({ id: text.id, secret: newKeyText().secret });
  expect(authenticate(keys, sameIdOtherSecret, NOW)).toMatchObject({ why: "unknown", keyId: text.id });
  expect(authenticate(keys, formatKeyText(newKeyText()), NOW)).toMatchObject({ kind: "refused", why: "unknown" });
});

test("rejects a key that a restore left disabled, until it is enabled", () => {
  const left = disabled(key, NOW - 1);
  expect(authenticate(viewOf(left), formatKeyText(text), NOW)).toMatchObject({ kind: "refused", why: "disabled" });
  expect(authenticate(viewOf(enabled(left)), formatKeyText(text), NOW)).toEqual({ kind: "key", key });
});

test("a key ends when it expires and when it is revoked", () => {
  const expiring = viewOf({ ...key, expiresAt: NOW + 1 });
  expect(authenticate(expiring, formatKeyText(text), NOW).kind).toBe("key");
  expect(authenticate(expiring, formatKeyText(text), NOW + 1)).toEqual({
    kind: "refused",
    why: "expired",
    keyId: key.id,
  });
  const revoked = viewOf({ ...key, revokedAt: NOW });
  expect(authenticate(revoked, formatKeyText(text), NOW)).toMatchObject({ why: "revoked", keyId: key.id });
});

test("whoever was let in is let in for as long as the key holds, without its secret", () => {
  expect(recheck(viewOf(key), key.id, NOW)).toEqual({ kind: "key", key });
  expect(recheck(viewOf({ ...key, expiresAt: NOW }), key.id, NOW)).toMatchObject({ why: "expired" });
  expect(recheck(viewOf({ ...key, revokedAt: NOW }), key.id, NOW)).toMatchObject({ why: "revoked" });
  expect(recheck(viewOf(key), "another", NOW)).toMatchObject({ kind: "refused", why: "unknown" });
  expect(recheck(viewOf(key, VIEW_AGE_MAX_MS + 1), key.id, NOW)).toEqual({ kind: "unavailable" });
});

test("accepts a session for its user's teams until it is idle for too long, too old, or removed", () => {
  const of = { userId: "user-a", defaultTeamId: "team-a", provider: "login-link", userAgent: "browser" };
  const { record, cookie } = makeSession(of, NOW);
  const view = (session: Session) => ({ ...viewOf(key), sessions: sessionView(session) });
  expect(authenticateSession(view(record), cookie, NOW)).toMatchObject({
    kind: "key",
    key: { teamId: null, id: record.id },
  });
  expect(authenticateSession(view(record), cookie, NOW + SESSION_IDLE_MS)).toMatchObject({ why: "expired" });
  const busy = { ...record, lastUsedAt: NOW + SESSION_AGE_MS_MAX };
  expect(authenticateSession(view(busy), cookie, NOW + SESSION_AGE_MS_MAX - 1).kind).toBe("key");
  expect(authenticateSession(view(busy), cookie, NOW + SESSION_AGE_MS_MAX)).toMatchObject({ why: "expired" });
  expect(authenticateSession(viewOf(key), cookie, NOW)).toMatchObject({ why: "unknown" });
  expect(authenticateSession(view({ ...record, secretSha256: hashSecret("other") }), cookie, NOW)).toMatchObject({
    why: "unknown",
  });
  expect(recheck(view(record), record.id, NOW).kind).toBe("key");
});

test("gives an operator's session the operators' scopes for an hour after its login", () => {
  const of = { userId: "user-a", defaultTeamId: "team-a", provider: "login-link", userAgent: "browser" };
  const { record, cookie } = makeSession(of, NOW);
  const scopesAt = (user: User, now: number) => {
    const view = { ...viewOf(key), sessions: sessionView(record), users: recordView([user]) };
    const found = authenticateSession(view, cookie, now);
    return found.kind === "key" ? found.key.scopes : null;
  };
  const user: User = { id: "user-a", name: "ada", createdAt: NOW };
  const operator: User = { ...user, operator: true };
  expect(scopesAt(operator, NOW + OPERATOR_LOGIN_MS - 1)).toEqual([...USER_SCOPES, "nodes", "admin"]);
  expect(scopesAt(operator, NOW + OPERATOR_LOGIN_MS)).toEqual(USER_SCOPES);
  expect(scopesAt(user, NOW)).toEqual(USER_SCOPES);
  expect(scopesAt({ ...operator, id: "user-b" }, NOW)).toEqual(USER_SCOPES);
});

test("no key is believed on a view that may have missed its revocation", () => {
  expect(authenticate(viewOf(key, VIEW_AGE_MAX_MS + 1), formatKeyText(text), NOW)).toEqual({ kind: "unavailable" });
});

test("a malformed key is refused without a look at the keys", () => {
  const untouchable = {
    ageMs: () => 0,
    get accessKeys(): never {
      throw new Error("looked up");
    },
    get sessions(): never {
      throw new Error("looked up");
    },
    get teams(): never {
      throw new Error("looked up");
    },
    get users(): never {
      throw new Error("looked up");
    },
  };
  expect(authenticateSession(untouchable, "ess_0", NOW).kind).toBe("refused");
  expect(authenticate(untouchable, `${formatKeyText(text).slice(0, -1)}!`, NOW).kind).toBe("refused");
});

test("rejects a key of a deleted team as revoked, and keeps its members' keys out of the team", () => {
  const gone: Team = { id: "team-a", name: "a", createdAt: NOW, deleted: { at: NOW, byUserId: "user-a" } };
  const view = { memberships: recordView([membership("user-a", "team-a")]), teams: recordView([gone]) };
  const bound = { ...key, teamId: "team-a" };
  expect(recheck({ ...viewOf(bound), ...view }, key.id, NOW)).toMatchObject({ why: "revoked" });
  expect(recheck({ ...viewOf(key), ...view }, key.id, NOW)).toMatchObject({ kind: "key" });
  expect(mayUseTeam(view, key, "team-a")).toBe(false);
  expect(teamsOf(view, key)).toEqual([]);
});

test("a key reaches the teams its user is in, and only its own when it is bound to one", () => {
  const view = {
    memberships: recordView([
      membership("user-a", "team-a"),
      membership("user-a", "team-b"),
      membership("user-b", "team-c"),
    ]),
    teams: recordView<Team>([]),
  };
  expect(teamsOf(view, key).map((one) => one.teamId)).toEqual(["team-a", "team-b"]);
  expect(mayUseTeam(view, key, "team-b")).toBe(true);
  expect(mayUseTeam(view, key, "team-c")).toBe(false);
  expect(mayUseTeam(view, { ...key, teamId: "team-a" }, "team-b")).toBe(false);
  expect(teamOfCall(view, key, undefined)).toBe("team-a");
  expect(teamOfCall(view, key, "team-b")).toBe("team-b");
  expect(teamOfCall(view, key, "team-c")).toBeNull();
  expect(teamOfCall(view, { ...key, userId: "gone" }, undefined)).toBeNull();
});

test("a scope is needed, and admin has them all", () => {
  expect(hasScope(key, "tasks:read")).toBe(true);
  expect(hasScope(key, "tasks:write")).toBe(false);
  expect(hasScope({ ...key, scopes: ["admin"] }, "tasks:write")).toBe(true);
});

function membership(userId: string, teamId: string): Membership {
  return { userId, teamId, role: "member", createdAt: NOW };
}

function viewOf(one: AccessKey, ageMs = 0) {
  return {
    accessKeys: recordView([one]),
    sessions: sessionView(),
    teams: recordView<Team>([]),
    users: recordView<User>([]),
    ageMs: () => ageMs,
  };
}

function sessionView(...sessions: readonly Session[]): GroupedView<Session> {
  return { ...recordView(sessions), of: () => [], countOf: () => 0, groups: () => [] };
}

function recordView<T extends AccessKey | Membership | Session | Team | User>(values: readonly T[]): RecordView<T> {
  const idOf = (value: T) => ("id" in value ? value.id : `${value.userId}/${value.teamId}`);
  const records = new Map(values.map((value) => [idOf(value), { value, revision: 1 }]));
  return { get: (id) => records.get(id), values: () => records.values(), subscribe: () => () => undefined };
}
