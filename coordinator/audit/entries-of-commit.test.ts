import { newId } from "@elastic/std/ids.ts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { newAccessKey, revoked } from "../domain/access-key.ts";
import { newService } from "../domain/service.ts";
import { create, remove, replace, unchanged } from "../store/change.ts";
import { encodeRecord } from "../store/codec.ts";
import { boundedFacts, FACTS_BYTES_MAX } from "./bounded-facts.ts";
import { type AuditContext, entriesOfCommit } from "./entries-of-commit.ts";

const AT = 1_800_000_000_000;
const ID = newId(AT);
const service = newService({ id: newId(1), teamId: newId(2), name: "prover", creatorId: newId(3), createdAt: 0 });
const membership = { userId: newId(3), teamId: service.teamId, role: "member", createdAt: 0 } as const;
const context: AuditContext = {
  action: "changeService",
  userId: newId(3),
  credential: { kind: "key", id: "k" },
  address: "192.0.2.1",
  requestId: "r",
  teamId: newId(9),
};

function entries(changes: Parameters<typeof entriesOfCommit>[1], who = context) {
  return entriesOfCommit(who, changes, { nextId: () => ID, at: AT });
}

/** The only one; null where there is none. */
function entry(changes: Parameters<typeof entriesOfCommit>[1], who = context) {
  const [one = null, ...others] = entries(changes, who);
  expect(others).toEqual([]);
  return one;
}

describe("the entry of a commit", () => {
  test("has of a changed record what differs, and who changed it", () => {
    const before = { value: service, revision: 4 };
    const { teamId: _, ...who } = context;
    expect(entry([replace("services", before, { ...service, resultRetentionMs: 60_000 })])).toEqual({
      id: ID,
      at: AT,
      ...who,
      teamId: service.teamId,
      object: { kind: "service", id: service.id, name: "prover" },
      also: [],
      before: { result_retention_seconds: null },
      after: { result_retention_seconds: 60 },
    });
  });

  test("has all that is shown of what is created, or removed", () => {
    const facts = { service_name: "prover", state: "unready" };
    expect(entry([create("services", service)])).toMatchObject({ before: null, after: facts });
    expect(entry([remove("services", { value: service, revision: 1 })])).toMatchObject({ before: facts, after: null });
  });

  test("is about the first record that is shown, in the team of the first that says one", () => {
    const user = { id: membership.userId, name: "ada", createdAt: 0 };
    expect(entry([create("users", user), create("memberships", membership)])).toMatchObject({
      object: { kind: "user", id: user.id, name: "ada" },
      also: [{ kind: "member", id: user.id, name: null }],
      alsoLeftOut: 0,
      teamId: service.teamId,
    });
    expect(entry([create("users", user)])).toMatchObject({ teamId: context.teamId });
  });

  test("names nothing of another team, which has a separate entry", () => {
    const [one, two] = [newId(20), newId(21)];
    const user = { id: membership.userId, name: "ada", createdAt: 0 };
    const made = entries([
      create("memberships", { ...membership, teamId: one }),
      create("memberships", { ...membership, teamId: two, role: "viewer" }),
      create("users", user),
    ]);
    expect(made).toMatchObject([
      { teamId: one, after: { role: "member" }, also: [{ kind: "user" }] },
      { teamId: two, after: { role: "viewer" }, also: [] },
    ]);
  });

  test("is absent where the commit changes nothing that is shown", () => {
    expect(entry([unchanged("services", { value: service, revision: 1 })])).toBeNull();
    const upload = { id: ID, teamId: ID, creatorId: ID, sha256: "", bytes: 1, createdAt: 0, expiresAt: 0 };
    expect(entry([create("uploads", upload as never)])).toBeNull();
  });

  test("names the user who logs in by it", () => {
    const link = { id: ID, userId: "ada", secretSha256: "s", createdAt: 0, expiresAt: 0 };
    const login = { ...context, userId: null, credential: { kind: "login", id: null } } as const;
    expect(entry([remove("login-links", { value: link, revision: 1 })], login)?.userId).toBe("ada");
    const operator = { ...context, userId: null, credential: { kind: "operator", id: null } } as const;
    expect(entry([create("login-links", link)], operator)?.userId).toBeNull();
  });

  test("shows a webhook's address without what may be a secret in it", () => {
    const webhook = {
      ...{ id: ID, teamId: ID, serviceId: ID, creatorId: ID, createdAt: 0, name: "hook", types: null },
      url: "https://ada:password@hooks.example/in?token=secret#part",
      state: { kind: "enabled" },
      secrets: [{ sealed: "sealed", endsAt: null }],
    } as const;
    const made = entry([create("webhooks", webhook)]);
    expect(made?.after).toMatchObject({ url: "https://hooks.example/in", secrets: 1 });
    expect(JSON.stringify(made)).not.toMatch(/password|token|sealed/);
  });
});

describe("the entries of a commit that changes more than one has room for", () => {
  const invitations = Array.from({ length: 100 }, (_, n) => ({
    ...{ id: newId(1_000 + n), teamId: service.teamId, role: "member", creatorId: newId(3) },
    ...{ secretSha256: "", createdAt: 0, expiresAt: 9e12 },
  })) as never as readonly { readonly id: string }[];
  const removals = invitations.map((value) => remove("invitations", { value: value as never, revision: 1 }));
  const member = remove("memberships", { value: membership, revision: 1 });

  test("name every access that ended, in as many entries as it takes", () => {
    const made = entries([member, ...removals]);
    const named = made.flatMap(({ object, also }) => [object, ...also]);
    expect(named.map(({ id }) => id)).toEqual([membership.userId, ...invitations.map(({ id }) => id)]);
    expect(made.flatMap(({ also }) => also).every(({ ended }) => ended)).toBe(true);
    expect(made.map(({ alsoLeftOut }) => alsoLeftOut)).toEqual(made.map(() => 0));
    expect(made.slice(1)).toMatchObject(made.slice(1).map(() => ({ action: context.action, after: null })));
    // With the removals they are to fit in one transaction of etcd, of 128.
    expect(made.length).toBeLessThan(8);
  });

  test("name it before anything else, and count what was left out", () => {
    const links = Array.from({ length: 60 }, (_, n) => create("webhooks", aWebhook(newId(2_000 + n))));
    const made = entries([member, ...links, ...removals.slice(0, 30)]);
    const named = made.flatMap(({ also, object }) => [object, ...also]).filter(({ kind }) => kind === "invitation");
    expect(named).toHaveLength(30);
    const others = made.flatMap(({ also }) => also).filter(({ kind }) => kind === "webhook");
    expect(others.length + (made[0]?.alsoLeftOut ?? 0)).toBe(60);
    expect(made[0]?.alsoLeftOut).toBeGreaterThan(0);
  });

  test("name every key of a lock-out, however long the names", () => {
    const keys = Array.from({ length: 20 }, (_, n) =>
      newAccessKey({
        ...{ id: newId(n), name: "\u4e00".repeat(100), userId: newId(3), teamId: null, defaultTeamId: service.teamId },
        ...{ scopes: [], secretSha256: "", createdAt: 0, expiresAt: null },
      }),
    );
    const made = entries(keys.map((key) => replace("access-keys", { value: key, revision: 1 }, revoked(key, AT))));
    const named = made.flatMap(({ object, also }) => [object, ...also]);
    expect(named.map(({ id }) => id)).toEqual(keys.map(({ id }) => id));
    for (const { after } of made) expect(after).toEqual({ revoked: true });
  });

  test("do not take what is created or enabled for an end", () => {
    const key = newAccessKey({
      ...{ id: "k", name: "key", userId: newId(3), teamId: null, defaultTeamId: service.teamId },
      ...{ scopes: [], secretSha256: "", createdAt: 0, expiresAt: null },
    });
    const user = { id: membership.userId, name: "ada", createdAt: 0 };
    const created = entry([create("users", user), create("memberships", membership), create("access-keys", key)]);
    const off = { value: { ...key, disabledAt: 5 }, revision: 1 };
    const enabled = entry([replace("access-keys", off, key), replace("access-keys", off, key)]);
    for (const one of [created, enabled]) expect(one?.also.filter(({ ended }) => ended)).toEqual([]);
  });
});

function aWebhook(id: string) {
  const state = { kind: "enabled" } as const;
  return {
    ...{ id, teamId: service.teamId, serviceId: service.id, creatorId: ID, createdAt: 0, name: "hook", types: null },
    ...{ url: "https://hooks.example/in", state, secrets: [] },
  } as never;
}

test("facts have room in a record, whatever is in them", () => {
  const fact = fc.oneof(
    fc.string({ maxLength: 5_000, unit: "grapheme" }),
    fc.array(fc.string({ maxLength: 400, unit: "binary" }), { maxLength: 100 }),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z_]{1,20}$/), fact, { maxKeys: 20 }), (facts) => {
      const bounded = boundedFacts(facts);
      expect(Object.keys(bounded)).toEqual(Object.keys(facts));
      expect(Buffer.byteLength(JSON.stringify(bounded))).toBeLessThan(FACTS_BYTES_MAX + 20 * 40);
    }),
    { numRuns: 200, examples: [[JSON.parse('{"__proto__":false}')]] },
  );
});

test("the longest entry has room in a record", () => {
  const wide = "\u{1F600}".repeat(50);
  const users = Array.from({ length: 100 }, (_, n) => create("users", { id: newId(n), name: wide, createdAt: 0 }));
  const egress = Array.from({ length: 50 }, (_, n) => `${wide}.${n}.example:443`);
  const shell = { id: ID, teamId: ID, name: wide, state: { kind: "ready" }, imageName: wide, resources: {}, egress };
  const before = { value: { ...shell, egress: egress.map((rule) => `a.${rule}`) } as never, revision: 1 };
  const made = entry([replace("shells", before, shell as never), ...users]);
  expect(made?.also.length).toBeGreaterThan(3);
  expect(() => encodeRecord("key", "x".repeat(20), made ?? {})).not.toThrow();
});
