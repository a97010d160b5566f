/** Deliveries of the webhooks of projects at GitLab: which ones start a build, and which ones nobody believes. */
import { filesOf } from "@elastic/test/github/memory-repository.ts";
import { GITLAB_WEBHOOK_SECRET, type SentPush } from "@elastic/test/gitlab/gitlab-server.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { ServiceSource } from "../../domain/service-source.ts";
import { webhookToken } from "../../source-hosts/gitlab/webhook-token.ts";
import { call } from "../testing/call.ts";
import { type GitlabFixture, startGitlabFixture } from "./testing/gitlab-fixture.ts";

const FILES = filesOf({ Dockerfile: "FROM scratch\nCOPY . .\n" });

let sources: GitlabFixture;
let source: ServiceSource;

beforeAll(async () => {
  sources = await startGitlabFixture();
  source = await sources.addSource(await sources.connect());
});
afterAll(() => sources[Symbol.asyncDispose]());
afterEach(() => {
  sources.pushes.length = 0;
});

/** A push that is not sent. */
const payloadOf = (given: object = {}) => {
  const after = sources.project.branches.get("main");
  return sources.gitlab.server.pushPayload(sources.project, { ref: "refs/heads/main", before: after, after, ...given });
};
const send = async (payload: object, options?: SentPush) =>
  (await sources.gitlab.server.send(sources.project, payload, options))?.status;

describe("a push", () => {
  test("to the branch of a service starts one build, of the pushed commit", async () => {
    const { commit, response } = await sources.gitlab.server.push(sources.project, "main", FILES);
    expect(response?.status).toBe(204);
    expect(sources.pushes).toMatchObject([{ service: { id: source.id }, commit: commit.sha, ref: "refs/heads/main" }]);
  });

  test("to another branch, of a tag, that deletes a branch, and a merge request start none", async () => {
    await sources.gitlab.server.push(sources.project, "other", FILES);
    const tag = { object_kind: "tag_push", event_name: "tag_push", ref: "refs/tags/main" };
    expect(await send(payloadOf(tag), { event: "Tag Push Hook" })).toBe(204);
    expect(await send(payloadOf(tag))).toBe(204);
    expect(await send(payloadOf({ ref: "refs/merge-requests/1/head" }))).toBe(204);
    expect(await send(payloadOf({ after: "0".repeat(40) }))).toBe(204);
    expect(await send(payloadOf(), { event: "Merge Request Hook" })).toBe(204);
    expect(await send(payloadOf(), { event: "System Hook" })).toBe(204);
    expect(sources.pushes).toEqual([]);
  });

  test("starts a build for each service of the project, whoever connected it", async () => {
    const { api } = sources;
    const second = await sources.addSource(await sources.connect());
    await sources.gitlab.server.push(sources.project, "main", FILES);
    expect(sources.pushes.map(({ service }) => service.id).sort()).toEqual([source.id, second.id].sort());
    const options = { key: api.own.key, method: "DELETE" };
    expect((await call(`${api.url}/v1/services/${second.id}/source`, options)).status).toBe(204);
  });

  test("is built once, however often it is delivered", async () => {
    const deliveryId = "5e0c1a70-0000-11ef-8000-000000000001";
    const statuses = await Promise.all([1, 2, 3].map(() => send(payloadOf(), { deliveryId })));
    expect(statuses).toEqual([204, 204, 204]);
    expect(sources.pushes).toHaveLength(1);
  });

  test("that is the same as one before, since the branch was moved back in between, is built again", async () => {
    await send(payloadOf());
    await send(payloadOf());
    expect(sources.pushes).toHaveLength(2);
  });
});

describe("a delivery is rejected with 401 and starts nothing", () => {
  test.each<readonly [string, () => string | null]>([
    ["without a token", () => null],
    ["with the token of another project", () => webhookToken(GITLAB_WEBHOOK_SECRET, "4242")],
    ["with a token of another secret", () => webhookToken("another", String(sources.project.id))],
    ["with a token of the empty secret", () => webhookToken("", String(sources.project.id))],
    ["with the secret itself", () => GITLAB_WEBHOOK_SECRET],
    ["with a shortened token", () => webhookToken(GITLAB_WEBHOOK_SECRET, String(sources.project.id)).slice(0, -1)],
  ])("%s", async (_, token) => {
    expect(await send(payloadOf(), { token: token() })).toBe(401);
    expect(sources.pushes).toEqual([]);
  });

  test("without an id by which a repetition is known", async () => {
    expect(await send(payloadOf(), { deliveryId: "../x" })).toBe(401);
  });
});
