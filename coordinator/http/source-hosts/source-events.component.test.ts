/** Events of GitHub's webhook: which ones start a build, which ones end a connection, and which ones nobody believes. */
import { filesOf } from "@elastic/test/github/memory-repository.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ServiceSource } from "../../domain/service-source.ts";
import { call } from "../testing/call.ts";
import { ADA, type SourceFixture, startSourceFixture } from "./testing/source-fixture.ts";

let sources: SourceFixture;
let connectionId: string;
let source: ServiceSource;

beforeAll(async () => {
  sources = await startSourceFixture();
  connectionId = await sources.connect();
  source = await sources.addSource(connectionId);
});
afterAll(() => sources[Symbol.asyncDispose]());
afterEach(() => {
  sources.pushes.length = 0;
  sources.pushError = null;
});

const FILES = filesOf({ Dockerfile: "FROM scratch\nCOPY . .\n" });
/** A push that is not sent. */
function payloadOf(given: object): object {
  const after = sources.repository.branches.get("main");
  const payload = sources.github.app.pushPayload(sources.repository, {
    ref: "refs/heads/main",
    before: after,
    after,
    ...given,
  });
  if (payload === null) throw new Error("not installed");
  return payload;
}

async function send(payload: object, options?: { deliveryId?: string; secret?: string | null }, name = "push") {
  const response = await sources.github.app.send(name, payload, options);
  return response?.status;
}

describe("a push", () => {
  test("to the branch of a service starts one build, of the pushed commit", async () => {
    const { commit, response } = await sources.github.app.push(sources.repository, "main", FILES);
    expect(response?.status).toBe(204);
    expect(sources.pushes).toMatchObject([{ service: { id: source.id }, commit: commit.sha, ref: "refs/heads/main" }]);
  });

  test("to another branch, of a tag, that deletes a branch, and to a fork starts none", async () => {
    const { app } = sources.github;
    await app.push(sources.repository, "other", FILES);
    expect(await send(payloadOf({ ref: "refs/tags/main" }))).toBe(204);
    expect(await send(payloadOf({ ref: "refs/pull/1/head" }))).toBe(204);
    expect(await send(payloadOf({ after: "0".repeat(40), deleted: true }))).toBe(204);
    expect(
      await send(payloadOf({ repository: { id: sources.repository.id, fork: true, pushed_at: 1_900_000_000 } })),
    ).toBe(204);
    expect(await send(payloadOf({}), {}, "pull_request")).toBe(204);
    expect(sources.pushes).toEqual([]);
  });

  test("of last week starts none, so that one that nobody remembers is not built again", async () => {
    const daysAgo = (days: number) => Math.floor(Date.now() / 1000) - days * 86_400;
    const of = (pushed_at: number) => payloadOf({ repository: { id: sources.repository.id, fork: false, pushed_at } });
    expect(await send(of(daysAgo(7)))).toBe(204);
    expect(sources.pushes).toEqual([]);
    expect(await send(of(daysAgo(3)))).toBe(204);
    expect(sources.pushes).toHaveLength(1);
  });

  test("of a repository or an installation that is not the service's starts none", async () => {
    expect(await send(payloadOf({ installation: { id: 424_242, node_id: "" } }))).toBe(204);
    expect(await send(payloadOf({ repository: { id: 424_242, fork: false, pushed_at: 1_900_000_000 } }))).toBe(204);
    expect(sources.pushes).toEqual([]);
  });

  test("starts none for a service that does not deploy on push, and one for each that does", async () => {
    await sources.addSource(connectionId, { deploy_on_push: false });
    const second = await sources.addSource(connectionId);
    await sources.github.app.push(sources.repository, "main", FILES, "Both");
    expect(sources.pushes.map(({ service }) => service.id).sort()).toEqual([source.id, second.id].sort());
    const options = { key: sources.api.own.key, method: "DELETE" };
    expect((await call(`${sources.api.url}/v1/services/${second.id}`, options)).status).toBe(204);
    expect(await sources.api.store.get("service-sources", second.id)).toBeNull();
  });

  test("is built once, however often it is delivered, at the same time and under other ids", async () => {
    const payload = payloadOf({ forced: true });
    const deliveryId = "5e0c1a70-0000-11ef-8000-000000000001";
    const statuses = await Promise.all([1, 2, 3].map(() => send(payload, { deliveryId })));
    expect(statuses).toEqual([204, 204, 204]);
    expect(await send(payload, { deliveryId: "5e0c1a70-0000-11ef-8000-000000000002" })).toBe(204);
    expect(sources.pushes).toHaveLength(1);
  });

  test("that could not be applied gets a failure as response, and its redelivery is applied", async () => {
    const payload = payloadOf({ created: true });
    const deliveryId = "5e0c1a70-0000-11ef-8000-000000000003";
    sources.pushError = new Error("no builds now");
    expect(await send(payload, { deliveryId })).toBe(500);
    sources.pushError = null;
    expect(await send(payload, { deliveryId })).toBe(204);
    expect(sources.pushes).toHaveLength(1);
  });
});

describe("an event is rejected with 401 and changes nothing", () => {
  test.each<readonly [string, string | null]>([
    ["without a signature", null],
    ["with a signature of another secret", "another-secret"],
    ["with a signature of the empty secret", ""],
  ])("%s", async (_, secret) => {
    expect(await send(payloadOf({ compare: "x" }), { secret })).toBe(401);
    expect(sources.pushes).toEqual([]);
  });

  test.each<readonly [string, Readonly<Record<string, string>>]>([
    ["with a forged signature", { "x-hub-signature-256": `sha256=${"0".repeat(64)}` }],
    ["with a short signature", { "x-hub-signature-256": "sha256=00" }],
    ["with a signature by SHA-1 alone", { "x-hub-signature": "sha1=00" }],
  ])("%s", async (_, headers) => {
    const body = JSON.stringify(payloadOf({}));
    const to = `${sources.api.url}/v1/source-hosts/github/webhook`;
    const sent = { "content-type": "application/json", "x-github-event": "push", "x-github-delivery": "1", ...headers };
    const { status, json } = await call(to, { body, headers: sent });
    expect([status, json.code]).toEqual([401, "signature_invalid"]);
  });

  test("whose bytes were changed after they were signed", async () => {
    const { app } = sources.github;
    const { signatureOf, APP } = await import("@elastic/test/github/github-app.ts");
    const body = JSON.stringify(payloadOf({}));
    const headers = {
      "content-type": "application/json",
      "x-github-event": "push",
      "x-github-delivery": "2",
      "x-hub-signature-256": signatureOf(body, APP.webhookSecret),
    };
    const { status } = await call(String(app.webhookUrl), { body: `${body} `, headers });
    expect(status).toBe(401);
  });
});

test("an event of more than a MiB, and one for an unknown host, are refused", async () => {
  expect(await send({ filler: "x".repeat(1_100_000) })).toBe(413);
  const unknown = `${sources.api.url}/v1/source-hosts/absent/webhook`;
  expect((await call(unknown, { body: "{}", headers: { "content-type": "application/json" } })).status).toBe(404);
});

describe("a connection", () => {
  const stateOf = async (id: string) => (await sources.api.store.get("source-connections", id))?.value.state.kind;

  test("is suspended and resumed, and starts no build in between", async () => {
    const { app } = sources.github;
    const [installation] = app.installations.values();
    if (installation === undefined) throw new Error("not installed");
    await app.suspend(installation);
    expect(await stateOf(connectionId)).toBe("suspended");
    await app.push(sources.repository, "main", FILES, "Suspended");
    expect(sources.pushes).toEqual([]);
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "suspended" });
    await app.suspend(installation, false);
    expect(await stateOf(connectionId)).toBe("active");
    expect((await sources.access.resolveCommit(source)).title).toBe("Suspended");
  });

  test("loses a repository that is removed from the installation, at once and for builds", async () => {
    const { app } = sources.github;
    const second = app.addRepository({ owner: ADA.login, name: "second" }, FILES);
    await sources.connect([sources.repository, second]);
    const other = await sources.addSource(connectionId, { repository_id: String(second.id) });
    const [installation] = app.installations.values();
    if (installation === undefined) throw new Error("not installed");
    await app.removeRepositories(installation, [second.id]);
    await expect(sources.access.resolveCommit(other)).rejects.toMatchObject({ code: "repository_not_linked" });
    expect((await sources.access.resolveCommit(source)).commit).toHaveLength(40);
  });

  test("ends when the app is uninstalled, in the audit log too, by no user", async () => {
    const { app } = sources.github;
    const [installation] = app.installations.values();
    if (installation === undefined) throw new Error("not installed");
    await app.uninstall(installation);
    expect(await stateOf(connectionId)).toBe("uninstalled");
    await expect(sources.access.resolveCommit(source)).rejects.toMatchObject({ code: "revoked" });
    const { teamId, key } = sources.api.own;
    const log = await call(`${sources.api.url}/v1/teams/${teamId}/audit?action=receiveSourceEvent&size=1`, { key });
    expect(JSON.parse(log.text).items).toMatchObject([
      {
        user_id: null,
        credential: { kind: "source_host" },
        before: { state: "active" },
        after: { state: "uninstalled" },
      },
    ]);
    const list = await call(`${sources.api.url}/v1/source-connections/${connectionId}/repositories`, { key });
    expect([list.status, list.json.code]).toEqual([409, "source_connection_ended"]);
  });
});
