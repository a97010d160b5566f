/** Connecting an account at GitLab, and what opens its projects: made when a service is built from one, renewed, and ended. */
import { filesOf } from "@elastic/test/github/memory-repository.ts";
import { authorizeAtGitlab } from "@elastic/test/gitlab/gitlab-host.ts";
import { DEVELOPER, MAINTAINER, REPORTER } from "@elastic/test/gitlab/gitlab-server.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { credentialId } from "../../domain/source-credential.ts";
import { replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { type GitlabFixture, startGitlabFixture } from "./testing/gitlab-fixture.ts";
import { endOfLink } from "./testing/session-browser.ts";

let sources: GitlabFixture;

beforeAll(async () => {
  sources = await startGitlabFixture();
});
afterAll(() => sources[Symbol.asyncDispose]());
afterEach(() => {
  Object.assign(sources.gitlab.server, { hasProjectTokens: true, acceptsHooks: true });
});

const FILES = filesOf({ Dockerfile: "FROM scratch\n" });
const get = async (path: string) => call(`${sources.api.url}/v1${path}`, { key: sources.api.own.key });
const addProject = (name: string, accessLevel?: number) =>
  sources.gitlab.server.addProject({ owner: "studio", name, ...(accessLevel !== undefined && { accessLevel }) }, FILES);

/** As if the minutes for which the user's token is retained were over. */
async function forgetToken(connectionId: string): Promise<void> {
  const grant = await sources.api.store.get("source-grants", connectionId);
  if (grant === null) throw new Error("no grant");
  await sources.api.store.commit([replace("source-grants", grant, { ...grant.value, expiresAt: Date.now() })]);
}

describe("a connection", () => {
  test("lists the projects in which the user is a developer at least, while the authorization is recent", async () => {
    const own = addProject("own", DEVELOPER);
    const guest = addProject("guest", REPORTER);
    const id = await sources.connect();
    const { json } = await get(`/source-connections/${id}/repositories`);
    const names = (json as unknown as { items: { name: string }[] }).items.map(({ name }) => name);
    expect([names.includes(own.fullName), names.includes(guest.fullName)]).toEqual([true, false]);
    expect((await get(`/source-connections/${id}`)).json).toMatchObject({ account: "ada", state: "active" });
    await forgetToken(id);
    const late = await get(`/source-connections/${id}/repositories`);
    expect([late.status, late.json.code]).toEqual([409, "source_authorization_needed"]);
  });

  test("keeps nothing of the user's tokens that can be read, and no refresh token at all", async () => {
    const id = await sources.connect();
    const records = JSON.stringify([
      await sources.api.store.get("source-connections", id),
      await sources.api.store.get("source-grants", id),
    ]);
    for (const token of [...sources.gitlab.userTokens.keys(), ...sources.gitlab.refreshTokens]) {
      expect(records).not.toContain(token);
    }
  });

  test("is renewed by the same account, and not by another one", async () => {
    const id = await sources.connect();
    expect(await sources.connect()).toBe(id);
    expect(await sources.connect({ connection_id: id })).toBe(id);
    const { user } = sources.gitlab;
    sources.gitlab.user = { id: 8, login: "grace" };
    await expect(sources.connect({ connection_id: id })).rejects.toThrow("not_listed");
    sources.gitlab.user = user;
    expect(await sources.connect({}, sources.api.other)).not.toBe(id);
  });
});

describe("the way back is rejected", () => {
  test("in another browser, with another state, and twice", async () => {
    const browser = await sources.newBrowser();
    const back = await authorizeAtGitlab(await sources.begin(browser));
    const error = "link_not_started";
    expect((await endOfLink(await sources.newBrowser(), back)).source_error).toBe(error);
    const other = new URL(back);
    other.searchParams.set("state", "another");
    expect((await endOfLink(browser, other)).source_error).toBe(error);
    const thief = browser.copy();
    expect((await endOfLink(browser, back)).connection_id).toBeDefined();
    expect((await endOfLink(thief, back)).source_error).toBe("link_used");
  });

  test("in the session of another user", async () => {
    const [browser, other] = [await sources.newBrowser(), await sources.newBrowser(sources.api.other)];
    const back = await authorizeAtGitlab(await sources.begin(browser));
    other.cookies.set("elastic_source_link", browser.cookies.get("elastic_source_link") ?? "");
    expect((await endOfLink(other, back)).source_error).toBe("session_ended");
  });

  test("with a code that was given out for another challenge", async () => {
    const [browser, attacker] = [await sources.newBrowser(), await sources.newBrowser(sources.api.other)];
    const back = new URL(await authorizeAtGitlab(await sources.begin(browser)));
    const theirs = new URL(await authorizeAtGitlab(await sources.begin(attacker)));
    back.searchParams.set("code", theirs.searchParams.get("code") ?? "");
    expect((await endOfLink(browser, back)).source_error).toBe("authorization_failed");
  });

  test.each<readonly [string, (back: URL) => void, string]>([
    ["without a code", (back) => back.searchParams.delete("code"), "host_invalid"],
    ["with a forged code", (back) => back.searchParams.set("code", "forged"), "authorization_failed"],
    ["when the user declined", (back) => back.searchParams.set("error", "access_denied"), "declined"],
  ])("%s", async (_, change, expected) => {
    const browser = await sources.newBrowser();
    const back = new URL(await authorizeAtGitlab(await sources.begin(browser)));
    change(back);
    expect((await endOfLink(browser, back)).source_error).toBe(expected);
  });
});

describe("a project", () => {
  test("is opened by a token that reads it alone and expires, and has one webhook, however many services", async () => {
    const project = addProject("opened", MAINTAINER);
    const id = await sources.connect();
    await sources.addSource(id, project);
    const second = await sources.addSource(id, project);
    const tokens = sources.gitlab.server.tokensOf(project);
    expect(tokens).toMatchObject([{ scopes: ["read_api", "self_rotate"], accessLevel: REPORTER }]);
    const days = (Date.parse(tokens[0]?.expiresAt ?? "") - Date.now()) / 86_400_000;
    expect([days > 28, days <= 30]).toEqual([true, true]);
    const theirs = await sources.connect({}, sources.api.other);
    expect(theirs).not.toBe(id);
    const hooks = sources.gitlab.server.hooks.filter(({ projectId }) => projectId === project.id);
    expect(hooks).toMatchObject([{ url: `${sources.api.url}/v1/source-hosts/gitlab/webhook` }]);
    expect((await sources.access.resolveCommit(second)).commit).toBe(project.branches.get("main"));
  });

  test("is read without the user's token, which may have ended by then", async () => {
    const source = await sources.addSource(await sources.connect());
    sources.gitlab.userTokens.clear();
    expect((await sources.access.resolveCommit(source)).commit).toBe(sources.project.branches.get("main"));
  });

  test("is opened only with a recent authorization, and again without one once it is open", async () => {
    const project = addProject("late", MAINTAINER);
    const id = await sources.connect();
    await forgetToken(id);
    const refused = (await sources.putSource(id, project)).response;
    expect([refused.status, refused.json.code]).toEqual([409, "source_authorization_needed"]);
    await sources.connect({ connection_id: id });
    await sources.addSource(id, project);
    await forgetToken(id);
    await sources.addSource(id, project);
  });

  test.each<readonly [string, () => unknown, string]>([
    ["in which the user is no maintainer", () => undefined, "takes the role Maintainer"],
    [
      "of a plan without access tokens",
      () => Object.assign(sources.gitlab.server, { hasProjectTokens: false }),
      "paid plan",
    ],
    [
      "whose webhook is refused",
      () => Object.assign(sources.gitlab.server, { acceptsHooks: false }),
      "reach the public",
    ],
  ])("%s is not opened, and the refusal says why", async (name, prepare, sentence) => {
    const project = addProject(name, name.includes("no maintainer") ? DEVELOPER : MAINTAINER);
    const id = await sources.connect();
    prepare();
    const { status, text } = (await sources.putSource(id, project)).response;
    expect([status, text]).toEqual([422, expect.stringContaining(sentence)]);
    expect(sources.gitlab.server.tokensOf(project)).toEqual([]);
  });

  test("that is a fork, or is none of the connection's, is not opened", async () => {
    const fork = sources.gitlab.server.addProject({ owner: "ada", name: "fork", forkOf: sources.project }, FILES);
    const id = await sources.connect();
    expect((await sources.putSource(id, fork)).response.text).toContain("The repository is a fork");
    const later = addProject("later", MAINTAINER);
    expect((await sources.putSource(id, later)).response.text).toContain("not one of this connection");
    expect([fork, later].flatMap((one) => sources.gitlab.server.tokensOf(one))).toEqual([]);
  });

  test("has its token sealed, for this connection and project", async () => {
    const { store, secrets } = sources.api;
    const id = await sources.connect();
    await sources.addSource(id);
    const record = await store.get("source-credentials", credentialId(id, String(sources.project.id)));
    if (record === null) throw new Error("no credential");
    for (const token of sources.gitlab.server.tokens.keys()) expect(JSON.stringify(record)).not.toContain(token);
    expect(() => secrets.open(record.value.sealed, `source-credential/${id}/1`)).toThrow();
  });
});

describe("the token of a project", () => {
  test("is renewed after some days, and the one before is not valid any more", async () => {
    const project = addProject("renewed", MAINTAINER);
    const source = await sources.addSource(await sources.connect(), project);
    const [first] = sources.gitlab.server.tokensOf(project);
    await sources.renew(9);
    expect(sources.gitlab.server.tokensOf(project)).toEqual([first]);
    await sources.renew(11);
    const [second, ...more] = sources.gitlab.server.tokensOf(project);
    expect([first?.isRevoked, second?.family, more]).toEqual([true, first?.family, []]);
    expect((await sources.access.resolveCommit(source)).commit).toBe(project.branches.get("main"));
  });

  test("that is renewed by two at the same time is renewed once", async () => {
    const project = addProject("twice", MAINTAINER);
    const source = await sources.addSource(await sources.connect(), project);
    await Promise.all([sources.renew(11), sources.renew(11)]);
    expect(sources.gitlab.server.tokensOf(project)).toHaveLength(1);
    expect((await sources.access.resolveCommit(source)).commit).toHaveLength(40);
  });

  test("that ends while it is being renewed is no revocation, and one whose renewal was lost is dropped", async () => {
    const { store } = sources.api;
    const project = addProject("lost", MAINTAINER);
    const id = await sources.connect();
    const source = await sources.addSource(id, project);
    const credential = await store.get("source-credentials", credentialId(id, String(project.id)));
    if (credential === null) throw new Error("no credential");
    await store.commit([replace("source-credentials", credential, { ...credential.value, renewingSince: Date.now() })]);
    for (const token of sources.gitlab.server.tokensOf(project)) token.isRevoked = true;
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "host_down" });
    expect((await get(`/services/${source.id}/source`)).json).toMatchObject({ connected: true });
    await sources.renew(11);
    expect((await get(`/services/${source.id}/source`)).json).toMatchObject({ connected: false });
    expect(await store.get("source-credentials", credential.value.id)).toBeNull();
  });

  test("that is revoked at GitLab ends the service's builds with a sentence, and no other's", async () => {
    const project = addProject("revoked", MAINTAINER);
    const id = await sources.connect();
    const [source, other] = [await sources.addSource(id, project), await sources.addSource(id)];
    for (const token of sources.gitlab.server.tokensOf(project)) token.isRevoked = true;
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "revoked" });
    expect((await get(`/services/${source.id}/source`)).json).toMatchObject({ connected: false });
    expect((await sources.access.resolveCommit(other)).commit).toHaveLength(40);
    await sources.gitlab.server.push(project, "main", FILES);
    expect(sources.pushes).toEqual([]);
    // Connecting again is what the sentence says, and all that it takes.
    await sources.connect({ connection_id: id });
    expect((await get(`/services/${source.id}/source`)).json).toMatchObject({ connected: true });
    expect((await sources.access.resolveCommit(source)).commit).toHaveLength(40);
  });

  test("that is revoked at GitLab refuses a further service, with the same sentence", async () => {
    const project = addProject("refused", MAINTAINER);
    const id = await sources.connect();
    await sources.addSource(id, project);
    for (const token of sources.gitlab.server.tokensOf(project)) token.isRevoked = true;
    const { status, json } = (await sources.putSource(id, project)).response;
    const sentence = "The access was ended at GitLab, or the connection was removed. Connect the account again.";
    expect([status, json.code, json.detail]).toEqual([409, "source_connection_ended", sentence]);
  });

  test("is revoked once no service is built with it, and when the connection was deleted", async () => {
    const [unused, disconnected] = [addProject("unused", MAINTAINER), addProject("disconnected", MAINTAINER)];
    const id = await sources.connect();
    const source = await sources.addSource(id, unused);
    const theirs = await sources.addSource(id, disconnected);
    const options = { key: sources.api.own.key, method: "DELETE" };
    expect((await call(`${sources.api.url}/v1/services/${source.id}/source`, options)).status).toBe(204);
    await sources.renew(0);
    expect(sources.gitlab.server.tokensOf(unused)).toHaveLength(1);
    await sources.renew(1);
    expect([unused, disconnected].map((one) => sources.gitlab.server.tokensOf(one).length)).toEqual([0, 1]);
    expect((await call(`${sources.api.url}/v1/source-connections/${id}`, options)).status).toBe(204);
    await expect(sources.access.resolveCommit(theirs)).rejects.toMatchObject({ code: "revoked" });
    await sources.renew(0);
    expect(sources.gitlab.server.tokensOf(disconnected)).toEqual([]);
  });
});
