import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ApiInMemory, startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Ran, runBinary } from "./testing/run-binary.ts";

let api: ApiInMemory;
let home: string;

beforeEach(async () => {
  api = await startApiInMemory();
  home = await mkdtemp(join(tmpdir(), "elastic-cli-"));
});
afterEach(async () => {
  await rm(home, { recursive: true });
  await api[Symbol.asyncDispose]();
});

/** Runs the command with a key, without a login. */
function as(key: string, ...args: readonly string[]): Promise<Ran> {
  const env = { ELASTIC_CONFIG_DIR: join(home, "config"), ELASTIC_URL: api.url, ELASTIC_API_KEY: key };
  return runBinary(args, { directory: home, env });
}

async function json(key: string, ...args: readonly string[]) {
  const ran = await as(key, ...args, "--json");
  expect([args, ran.code, ran.stderr]).toEqual([args, 0, ""]);
  return JSON.parse(ran.stdout);
}

test("a key is created for a script, listed, used and revoked", async () => {
  const made = await as(api.key, "key", "create", "ci", "--scopes", "keys", "--expires", "1h");
  expect(made).toMatchObject({ code: 0, stderr: expect.stringContaining("shown once") });
  const key = made.stdout.trim();
  expect(key).toMatch(/^eps_\w{10}_\w{36}$/);
  const keyId = key.split("_")[1] ?? "";
  const listed = await as(key, "key", "list");
  expect(listed.stdout).toMatch(/^KEY ID +NAME +SCOPES +TEAM +EXPIRES +LAST USED\n/);
  expect(listed.stdout).toMatch(new RegExp(`${keyId} +ci +keys +all teams +\\d{4}-`));
  expect(listed.stdout).not.toContain(key);

  expect(await as(key, "key", "revoke", keyId)).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("Give --yes."),
  });
  const completed = await as(key, "complete", "--", "key", "revoke", "");
  expect(completed.stdout).toContain(`${keyId}\tci\n`);
  const revoked = await as(key, "key", "revoke", `eps_${keyId.slice(0, 6)}`, "--yes");
  expect(revoked).toMatchObject({ code: 0, stdout: `Revoked ${keyId}.\n` });
  expect(revoked.stderr).toContain("run `elastic login` with another");
  expect(await as(key, "key", "list")).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(
      /^error: The access key was revoked\. .*\nRun `elastic login` with a valid API key\.\n$/,
    ),
  });
  expect((await as(api.key, "key", "list")).stdout).toMatch(new RegExp(`${keyId} .*revoked \\d{4}`));
});

test("a key that never expires is created by that word", async () => {
  const made = await json(api.key, "key", "create", "ci", "--expires", "never");
  expect(made).toMatchObject({ key: expect.stringMatching(/^eps_/), expires: null });
  expect((await as(api.key, "key", "list")).stdout).toMatch(new RegExp(`${made.key_id} +ci .* never `));
});

test("names in a line what a key may not be", async () => {
  const wrong = await as(api.key, "key", "create", "ci", "--expires", "soon");
  expect(wrong).toMatchObject({ code: 2, stderr: expect.stringContaining("Give it as in 90d") });
  const unknown = await as(api.key, "key", "create", "ci", "--scopes", "everything");
  expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining("scopes/0") });
  const narrow = (await json(api.key, "key", "create", "narrow", "--scopes", "keys", "--team", "team own")).key;
  const beyond = await as(narrow, "key", "create", "wide", "--scopes", "services");
  expect(beyond).toMatchObject({ code: 1, stderr: expect.stringContaining("has not the scope services itself") });
  expect((await as(narrow, "key", "revoke", "0000000000", "--yes")).code).toBe(4);
});

test("a user is invited, joins, is seen, and is removed", async () => {
  const invited = await as(api.key, "team", "invite", "--expires", "1h");
  expect(invited).toMatchObject({ code: 0, stderr: expect.stringContaining("joins team own as member") });
  const code = invited.stdout.trim();
  expect((await as(api.otherKey, "team", "invitations")).stdout).toBe("team other has no open invitations.\n");
  expect(await json(api.key, "team", "invitations")).toHaveLength(1);

  const joined = await as(api.otherKey, "team", "join", code);
  expect(joined).toMatchObject({ code: 0, stdout: "Your role in team own is member.\n" });
  expect((await as(api.otherKey, "team", "join", code)).code).toBe(4);
  expect((await as(api.otherKey, "team", "list")).stdout).toContain("team own");

  const members = await as(api.key, "team", "members");
  expect(members.stdout).toMatch(/^NAME +ROLE +SINCE +USER ID\nuser other +member .*\nuser own +owner .*\n$/);
  const refused = await as(api.otherKey, "team", "remove", "user own", "--team", "team own");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining("this takes the role admin") });
  const role = await as(api.key, "team", "role", "user other", "viewer");
  expect(role).toMatchObject({ code: 0, stdout: "The role of user other in team own is viewer.\n" });
  expect((await as(api.key, "team", "role", "user other", "king")).code).toBe(2);
  expect((await as(api.key, "team", "remove", "nobody")).code).toBe(4);
  const removed = await as(api.key, "team", "remove", "user other");
  expect(removed).toMatchObject({ code: 0, stdout: "user other is no longer in team own.\n" });
  const gone = await as(api.otherKey, "team", "members", "--team", "team own");
  expect(gone).toMatchObject({ code: 4, stderr: expect.stringContaining("You are in no team named team own.") });
});

test("an invitation is revoked, and the last owner stays", async () => {
  const { invitation_id: id, code } = await json(api.key, "team", "invite");
  const revoked = await json(api.key, "team", "invitations", "--revoke", "latest");
  expect(revoked).toEqual({ invitation_id: id, revoked: true });
  expect((await as(api.otherKey, "team", "join", code)).code).toBe(4);
  const leaving = await as(api.key, "team", "remove", "user own");
  expect(leaving).toMatchObject({ code: 1, stderr: expect.stringContaining("the team's last owner") });
});

test("the audit log shows who changed what, filtered and as JSON", async () => {
  await as(api.key, "key", "create", "ci");
  await as(api.key, "team", "invite", "--role", "viewer");
  const all = await as(api.key, "audit");
  expect(all.stdout).toMatch(/^TIME +WHO +FROM +ACTION +OBJECT +CHANGE\n/);
  expect(all.stdout).toMatch(/user own +127\.0\.0\.1 +createInvitation +invitation \w+ +-\n.* createKey +key ci +-\n$/);
  expect(await json(api.key, "audit", "--action", "createKey", "--user", "user own")).toMatchObject([
    { action: "createKey", object: { kind: "key", name: "ci" }, before: null, after: { key_name: "ci" } },
  ]);
  const first = await as(api.key, "audit", "--limit", "1");
  expect(first).toMatchObject({ code: 0, stderr: expect.stringContaining("The newest 1; --limit shows more.") });
  expect((await as(api.key, "audit", "--after", "2099-01-01T00:00:00")).stdout).toBe("There are no such changes.\n");
  expect((await as(api.key, "audit", "--user", "nobody")).code).toBe(4);
});

test("deletes the own user after a confirmation, but for the only owner of a team", async () => {
  const only = await as(api.key, "account", "delete", "--yes");
  expect(only).toMatchObject({ code: 1, stderr: expect.stringContaining("would have no owner") });
  const { code } = await json(api.key, "team", "invite", "--role", "owner");
  expect((await as(api.otherKey, "team", "join", code)).code).toBe(0);
  const unconfirmed = await as(api.key, "account", "delete");
  expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --yes.") });
  const deleted = await as(api.key, "account", "delete", "--yes");
  expect(deleted).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Deleted user own \([0-9a-f]{32}\)\.\n$/) });
  expect((await as(api.key, "team", "list")).code).toBe(3);
});

test("deletes a team after a confirmation, and does not find it again", async () => {
  expect((await as(api.key, "team", "create", "studio")).code).toBe(0);
  const unconfirmed = await as(api.key, "team", "delete", "--team", "studio");
  expect(unconfirmed).toMatchObject({ code: 2, stderr: expect.stringContaining("Give --yes.") });
  const deleted = await as(api.key, "team", "delete", "--team", "studio", "--yes", "--json");
  expect([deleted.code, JSON.parse(deleted.stdout)]).toEqual([
    0,
    { team_id: expect.stringMatching(/^[0-9a-f]{32}$/), deleted: true },
  ]);
  expect((await as(api.key, "team", "list")).stdout).not.toContain("studio");
  expect((await as(api.key, "team", "delete", "--team", "studio", "--yes")).code).toBe(4);
});

test("a user creates a team and renames it", async () => {
  const made = await as(api.key, "team", "create", "studio");
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^team studio \([0-9a-f]{32}\)\n$/) });
  expect(made.stderr).toContain("elastic team switch");
  expect(await json(api.key, "team", "rename", "atelier", "--team", "studio")).toMatchObject({
    name: "atelier",
    role: "owner",
  });
  expect((await as(api.key, "team", "list")).stdout).toContain("atelier");
  expect(await as(api.key, "team", "create", " x")).toMatchObject({ code: 2 });
});
