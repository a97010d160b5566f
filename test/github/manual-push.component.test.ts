import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type GithubHost, startGithubHost } from "../login/github-host.ts";
import { type HostRequest, type HttpHost, startHttpHost } from "../login/http-host.ts";
import { APP, signatureOf } from "./github-app.ts";
import { manualPush } from "./manual-push.ts";
import { filesOf, type MemoryRepository } from "./memory-repository.ts";

let github: GithubHost;
let receiver: HttpHost;
let repository: MemoryRepository;
let received: HostRequest[];

beforeAll(async () => {
  github = await startGithubHost({ id: 7, login: "ada", organisations: [] });
  github.faults.set("/_push", manualPush(github.app));
  receiver = await startHttpHost({
    "/hook": (request, response) => {
      received.push(request);
      response.writeHead(204).end();
    },
  });
});
beforeEach(() => {
  received = [];
  github.app.repositories.clear();
  github.app.installations.clear();
  github.app.webhookUrl = null;
  repository = github.app.addRepository(
    { owner: "ada", name: "prover" },
    filesOf({ Dockerfile: "FROM a\n", other: "k" }),
  );
});
afterAll(async () => {
  await github[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const CHANGE = { repository: "ada/prover", files: { Dockerfile: "FROM b\n", "src/new": "n" }, message: "Use b" };

async function push(body: object | string): Promise<{ readonly status: number; readonly json: unknown }> {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const response = await fetch(`${github.url}/_push`, { method: "POST", body: text });
  return { status: response.status, json: await response.json() };
}

test("a push commits next to the files of the branch, and sends the signed event", async () => {
  github.app.install({ id: 7, login: "ada", type: "User" }, [repository.id]);
  github.app.webhookUrl = `${receiver.url}/hook`;
  const before = repository.find("main")?.sha;
  const answer = await push(CHANGE);
  const head = repository.find("main");
  expect(answer).toEqual({ status: 200, json: { commit: head?.sha, webhook_status: 204 } });
  expect(head?.message).toBe("Use b");
  expect([...(head?.files ?? [])].map(([path, { content }]) => [path, content.toString()])).toEqual([
    ["Dockerfile", "FROM b\n"],
    ["other", "k"],
    ["src/new", "n"],
  ]);
  const [event] = received;
  expect(event?.headers["x-github-event"]).toBe("push");
  expect(event?.headers["x-hub-signature-256"]).toBe(signatureOf(event?.body ?? "", APP.webhookSecret));
  expect(JSON.parse(String(event?.body))).toMatchObject({ ref: "refs/heads/main", before, after: head?.sha });
});

test("responds with the reason why no event was sent", async () => {
  expect((await push(CHANGE)).json).toMatchObject({ webhook_status: null, why: "the app is not installed there" });
  github.app.install({ id: 7, login: "ada", type: "User" }, [repository.id]);
  expect((await push(CHANGE)).json).toMatchObject({ why: "the app has no webhook: PUT /_app" });
  github.app.webhookUrl = "http://127.0.0.1:1/hook";
  expect(await push(CHANGE)).toMatchObject({ status: 502 });
});

test.each([
  ["{", 422],
  [{ repository: "ada/prover" }, 422],
  [{ ...CHANGE, repository: "prover" }, 422],
  [{ ...CHANGE, repository: "ada/other" }, 404],
])("rejects %j with %i and the reason", async (body, status) => {
  expect(await push(body)).toMatchObject({ status, json: { error: expect.any(String) } });
});
