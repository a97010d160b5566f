/** Connecting an account at GitHub: what a connection has, and ways back that are not those of the browser, user or team. */
import { authorizeAtGithub } from "@elastic/test/login/github-host.ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { create, replace } from "../../store/change.ts";
import { call } from "../testing/call.ts";
import { addTenant } from "../testing/http-fixture.ts";
import { ADA, type SourceFixture, startSourceFixture } from "./testing/source-fixture.ts";

let sources: SourceFixture;

beforeAll(async () => {
  sources = await startSourceFixture();
});
afterAll(() => sources[Symbol.asyncDispose]());

const get = async (path: string, key = sources.api.own.key) =>
  JSON.parse((await call(`${sources.api.url}/v1${path}`, { key })).text);

/** Ids of repositories of the connection. */
async function repositoriesOf(connectionId: string): Promise<readonly string[]> {
  const { items } = await get(`/source-connections/${connectionId}/repositories`);
  return items.map((one: { repository_id: string }) => one.repository_id);
}

test("lists the source hosts with where their repositories have pages", async () => {
  const { url } = sources.github;
  expect(await get("/source-hosts")).toEqual({ items: [{ name: "github", title: "GitHub", url }], registry: true });
});

describe("a connection", () => {
  test("has the repositories that the user may push to by the user's own token, and no other of the installation", async () => {
    const { github, repository } = sources;
    const shared = github.app.addRepository({ owner: "studio", name: "shared" });
    shared.writers.add(ADA.login);
    const read = github.app.addRepository({ owner: "studio", name: "read" });
    read.readers.add(ADA.login);
    const hidden = github.app.addRepository({ owner: "studio", name: "hidden" });
    const id = await sources.connect([repository, shared, read, hidden]);
    expect(new Set(await repositoriesOf(id))).toEqual(new Set([String(repository.id), String(shared.id)]));
    expect(await get(`/source-connections/${id}`)).toMatchObject({ account: "ada", state: "active", repositories: 2 });
    expect(
      (await get("/source-connections")).items.map((one: { connection_id: string }) => one.connection_id),
    ).toContain(id);
  });

  test("is renewed by a further link of the same user, and is of its team alone", async () => {
    const { repository, api } = sources;
    const first = await sources.connect([repository]);
    const added = sources.github.app.addRepository({ owner: ADA.login, name: "second" });
    expect(await sources.connect([repository, added])).toBe(first);
    expect(await repositoriesOf(first)).toHaveLength(2);
    expect(await sources.connect([repository], api.other)).not.toBe(first);
  });

  test("is renewed by authorizing alone, with a code that only its own verifier redeems", async () => {
    const id = await sources.connect();
    const browser = await sources.newBrowser();
    const { redirect_url: address } = JSON.parse((await sources.begin(browser, { connection_id: id })).text);
    expect(new URL(address).searchParams.get("code_challenge_method")).toBe("S256");
    expect(await sources.finish(browser, await authorizeAtGithub(address))).toEqual({ connection_id: id });
  });

  test("is made on the page of the host, where the user chooses the repositories", async () => {
    const browser = await sources.newBrowser();
    const { redirect_url: address } = JSON.parse((await sources.begin(browser)).text);
    const page = await (await fetch(address)).text();
    const [, action = ""] = /<form method="post" action="([^"]+)">.*<button>Install<\/button>/.exec(page) ?? [];
    const to = new URL(action.replaceAll("&amp;", "&"), address);
    const body = new URLSearchParams({ repository: String(sources.repository.id) });
    const installed = await fetch(to, { method: "POST", body, redirect: "manual" });
    const { connection_id: id = "" } = await sources.finish(browser, installed.headers.get("location") ?? "");
    expect(await repositoriesOf(id)).toEqual([String(sources.repository.id)]);
  });

  test("leads back to the page of the console that started it, and to no other site", async () => {
    const browser = await sources.newBrowser();
    for (const [requested, pathname] of [
      ["/services/new?step=2", "/services/new"],
      ["https://evil.example/", "/services"],
    ] as const) {
      const back = sources.installFrom(await sources.begin(browser, { return_to: requested }));
      const { headers } = await browser.open(back.href, { site: "cross-site" });
      const location = new URL(headers.get("location") ?? "");
      expect([location.origin, location.pathname]).toEqual([sources.api.url, pathname]);
    }
  });

  test("has nothing of the user's token in its response and in its record", async () => {
    const id = await sources.connect();
    const record = JSON.stringify(await sources.api.store.get("source-connections", id));
    const grant = JSON.stringify(await sources.api.store.get("source-grants", id));
    for (const token of sources.github.userTokens.keys()) {
      expect(record).not.toContain(token);
      expect(grant).not.toContain(token);
    }
  });

  test("requests tokens of one repository and one permission", async () => {
    const source = await sources.addSource(await sources.connect());
    sources.github.app.tokenRequests.length = 0;
    await sources.access.resolveCommit(source);
    expect(sources.github.app.tokenRequests.length).toBeLessThanOrEqual(1);
    await sources.access.setCommitStatus(source, sources.repository.branches.get("main") ?? "", {
      state: "success",
      targetUrl: "https://console.example/",
      description: "Deployed",
      context: "elastic/prover",
    });
    const ids = [sources.repository.id];
    expect(sources.github.app.tokenRequests).toContainEqual({
      repository_ids: ids,
      permissions: { statuses: "write" },
    });
    for (const requested of sources.github.app.tokenRequests) expect(requested.repository_ids).toEqual(ids);
  });

  test("is gone at once when it is deleted, and the service says so", async () => {
    const id = await sources.connect();
    const source = await sources.addSource(id);
    const options = { key: sources.api.own.key, method: "DELETE" };
    expect((await call(`${sources.api.url}/v1/source-connections/${id}`, options)).status).toBe(204);
    expect(await get(`/services/${source.id}/source`)).toMatchObject({ connection_id: id, connected: false });
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "revoked" });
    expect(await sources.api.store.get("source-grants", id)).toBeNull();
  });
});

describe("the way back is rejected", () => {
  test("in another browser, with another state, and twice", async () => {
    const browser = await sources.newBrowser();
    const back = sources.installFrom(await sources.begin(browser));
    const error = "link_not_started";
    expect((await sources.finish(await sources.newBrowser(), back)).source_error).toBe(error);
    const other = new URL(back);
    other.searchParams.set("state", "another");
    expect((await sources.finish(browser, other)).source_error).toBe(error);
    const thief = browser.copy();
    expect((await sources.finish(browser, back)).connection_id).toBeDefined();
    expect((await sources.finish(browser, back)).source_error).toBe(error);
    // Also with the cookie of before, and a fresh code.
    const again = sources.installFrom(await sources.begin(await sources.newBrowser()));
    again.searchParams.set("state", back.searchParams.get("state") ?? "");
    expect((await sources.finish(thief, again)).source_error).toBe("link_used");
  });

  test("in the session of another user, and once the session has ended", async () => {
    const [browser, other] = [await sources.newBrowser(), await sources.newBrowser(sources.api.other)];
    const back = sources.installFrom(await sources.begin(browser));
    const carrying = other.copy();
    carrying.cookies.set("elastic_source_link", browser.cookies.get("elastic_source_link") ?? "");
    expect((await sources.finish(carrying, back)).source_error).toBe("session_ended");
    const second = await sources.newBrowser();
    const itsBack = sources.installFrom(await sources.begin(second));
    await second.open("/v1/sessions/current", { method: "DELETE" });
    second.cookies.delete("elastic_session");
    expect((await sources.finish(second, itsBack)).source_error).toBe("session_ended");
  });

  test("for a user who may change nothing in the team by then", async () => {
    const { api } = sources;
    const grace = await addTenant(api.store, "grace");
    const browser = await sources.newBrowser(grace);
    const back = sources.installFrom(await sources.begin(browser));
    const membership = await api.store.get("memberships", `${grace.userId}/${grace.teamId}`);
    if (membership === null) throw new Error("no membership");
    await api.store.commit([replace("memberships", membership, { ...membership.value, role: "viewer" })]);
    expect((await sources.finish(browser, back)).source_error).toBe("role_missing");
  });

  test("with the installation of an account that the user's token does not list", async () => {
    const { app } = sources.github;
    const victims = app.addRepository({ owner: "victim", name: "secret" });
    const installation = app.install({ id: 99, login: "victim", type: "User" }, [victims.id]);
    const error = await sources.errorAfter((back) => back.searchParams.set("installation_id", String(installation.id)));
    expect(error).toBe("not_listed");
    expect(await sources.errorAfter((back) => back.searchParams.set("installation_id", "424242"))).toBe("not_listed");
  });

  test.each<readonly [string, (back: URL) => void, string]>([
    ["without a code", (back) => back.searchParams.delete("code"), "host_invalid"],
    ["with a forged code", (back) => back.searchParams.set("code", "forged"), "authorization_failed"],
    ["without an installation", (back) => back.searchParams.delete("installation_id"), "host_invalid"],
    ["with a path as installation", (back) => back.searchParams.set("installation_id", "1/../2"), "host_invalid"],
    ["with two installations", (back) => back.searchParams.append("installation_id", "1"), "host_invalid"],
    ["when the user declined", (back) => back.searchParams.set("error", "access_denied"), "declined"],
    ["when owners have to approve", (back) => back.searchParams.set("setup_action", "request"), "approval_pending"],
  ])("%s", async (_, change, expected) => {
    expect(await sources.errorAfter(change)).toBe(expected);
  });
});

describe("what a service is built from", () => {
  const put = async (body: object, serviceId: string, key = sources.api.own.key) => {
    const url = `${sources.api.url}/v1/services/${serviceId}/source`;
    return call(url, { key, method: "PUT", body: JSON.stringify(body) });
  };

  test("is a repository of the connection, on a branch that is there", async () => {
    const { app } = sources.github;
    const connectionId = await sources.connect();
    const { id } = await sources.addSource(connectionId, { base_dir: "./provers/a/" });
    expect(await get(`/services/${id}/source`)).toMatchObject({
      repository_name: "ada/prover",
      branch: "main",
      base_dir: "provers/a",
      deploy_on_push: true,
      connected: true,
    });
    const { services } = await get(`/source-connections/${connectionId}`);
    expect(services).toEqual([expect.objectContaining({ service_id: id })]);
    const elsewhere = app.addRepository({ owner: ADA.login, name: "elsewhere" });
    const of = (more: object) =>
      put({ connection_id: connectionId, repository_id: String(sources.repository.id), branch: "main", ...more }, id);
    for (const [more, code, pointer, text] of [
      [{ repository_id: String(elsewhere.id) }, "source_invalid", "#/repository_id", "not one of this connection"],
      [{ branch: "absent" }, "source_invalid", "#/branch", "is not in the repository"],
      [{ branch: "a..b" }, "invalid_request", "#/branch", "is no name of a branch"],
      [{ base_dir: "../x" }, "invalid_request", "#/base_dir", "is no folder of the repository"],
    ] as const) {
      const { status, json } = await of(more);
      expect([more, status, json.code]).toEqual([more, 422, code]);
      expect(json.errors).toEqual([{ pointer, detail: expect.stringContaining(text) }]);
    }
  });

  test("is no fork, and nothing of a connection of another team", async () => {
    const { github, repository, api } = sources;
    const fork = github.app.addRepository({ owner: ADA.login, name: "fork", forkOf: repository });
    const connectionId = await sources.connect([repository, fork]);
    const { id } = await sources.addSource(connectionId);
    const body = { connection_id: connectionId, repository_id: String(fork.id), branch: "main" };
    const refused = await put(body, id);
    expect([refused.status, refused.json.detail]).toEqual([422, expect.stringContaining("The repository is a fork")]);
    const theirs = await sources.connect([repository], api.other);
    const ofTheirs = { ...body, repository_id: String(repository.id), connection_id: theirs };
    expect((await put(ofTheirs, id)).status).toBe(404);
    // Nor for a user of both teams.
    const membership = { userId: api.own.userId, teamId: api.other.teamId, role: "owner", createdAt: 0 } as const;
    await api.store.commit([create("memberships", membership)]);
    expect((await call(`${api.url}/v1/source-connections/${theirs}`, { key: api.own.key })).status).toBe(200);
    expect((await put(ofTheirs, id)).status).toBe(404);
  });
});
