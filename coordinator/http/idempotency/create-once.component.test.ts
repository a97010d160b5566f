/** Creations that are repeated, by a client with an Idempotency-Key and by the store after a lost response, make one record. */
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Service } from "../../domain/service.ts";
import { create } from "../../store/change.ts";
import type { RecordView } from "../../store/store.ts";
import { type CallResponse, call } from "../testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { type SecondCoordinator, startSecondCoordinator } from "../testing/second-coordinator.ts";

const SOURCE = "a source of a build";

let api: HttpFixture;
let second: SecondCoordinator;
let service: Service;
let buildId: string;
let keys = 0;

beforeAll(async () => {
  api = await startHttpFixture();
  second = await startSecondCoordinator(api);
  service = await addReadyService(api.store, api.own);
  const headers = { "content-type": "application/octet-stream" };
  const options = { key: api.own.key, method: "PUT", body: SOURCE, headers };
  expect((await call(`${api.url}/v1/volumes/files/${digestOf(SOURCE)}`, options)).status).toBeLessThan(300);
  buildId = idOf(await post("/v1/services/:id/builds", buildOf()), "build_id");
});
afterAll(async () => {
  await second[Symbol.asyncDispose]();
  await api.close();
});

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function buildOf(): object {
  return { source: { parts: [{ sha256: digestOf(SOURCE), bytes: SOURCE.length }] }, no_cache: true };
}

interface Post {
  readonly key?: string;
  readonly at?: { readonly url: string };
}

function post(path: string, body: object, { key, at = api }: Post = {}): Promise<CallResponse> {
  const url = path.replace("services/:id", `services/${service.id}`).replace("builds/:id", `builds/${buildId}`);
  const headers: Record<string, string> = key === undefined ? {} : { "idempotency-key": key };
  return call(`${at.url}${url}`, { key: api.own.key, body: JSON.stringify(body), headers });
}

function newKey(): string {
  keys += 1;
  return `key-${keys}`;
}

type Kind = "shells" | "builds" | "deployments" | "services" | "webhooks" | "accessKeys" | "volumes" | "joinTokens";

function count(kind: Kind): number {
  return [...(api.store.view[kind] as RecordView<object>).values()].length;
}

function idOf({ json }: CallResponse, name: string): string {
  return Reflect.get(json, name);
}

const isReplay = ({ headers }: CallResponse) => headers.get("idempotent-replayed") === "true";

const url = "https://hooks.example/in";
/** `secret` is what the first response alone has. */
const ONE_TIME: readonly [kind: Kind, path: string, body: () => object, id: string, other: object, secret?: string][] =
  [
    ["shells", "/v1/shells", () => ({}), "shell_id", { shell_name: "another" }],
    ["builds", "/v1/services/:id/builds", buildOf, "build_id", { no_cache: false }],
    ["builds", "/v1/builds/:id/retry", () => ({ no_cache: true }), "build_id", { no_cache: false }],
    [
      "deployments",
      "/v1/services/:id/deployments",
      () => ({ image: "builtin:echo" }),
      "deployment_id",
      { tag: "other" },
    ],
    ["webhooks", "/v1/services/:id/webhooks", () => ({ name: "ends", url }), "webhook_id", { name: "other" }, "secret"],
    ["accessKeys", "/v1/keys", () => ({ name: "ci", scopes: ["tasks:read"] }), "key_id", { name: "other" }, "key"],
    ["joinTokens", "/v1/join-tokens", () => ({}), "join_token_id", { node_name: "gpu-7" }, "token"],
  ];

describe.each(ONE_TIME)("of %s, POST %s", (kind, path, body, id, other, secret) => {
  test("with the same key and body makes one and returns it again, and another one with another key or none", async () => {
    const key = newKey();
    const before = count(kind);
    const first = await post(path, body(), { key });
    const again = await post(path, body(), { key });
    expect([first.status, isReplay(first), isReplay(again)]).toEqual([secret ? 201 : again.status, false, true]);
    expect(first.status).toBeLessThan(300);
    if (secret !== undefined) {
      const { [secret]: text, ...record } = first.json as unknown as Readonly<Record<string, unknown>>;
      expect([again.status, typeof text, again.text.includes(String(text))]).toEqual([200, "string", false]);
      expect(record).toMatchObject(again.json);
    }
    expect(idOf(again, id)).toBe(idOf(first, id));
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(count(kind)).toBe(before + 1);
    for (const options of [{ key: newKey() }, {}]) {
      expect(idOf(await post(path, body(), options), id)).not.toBe(idOf(first, id));
    }
  });

  test("with the same key and another body is rejected, and nothing is made", async () => {
    const key = newKey();
    await post(path, body(), { key });
    const before = count(kind);
    const { status, json } = await post(path, { ...body(), ...other }, { key });
    expect([status, json.code, count(kind)]).toEqual([422, "idempotency_key_reused", before]);
  });

  test("of clients that race at two coordinators makes one", async () => {
    const key = newKey();
    const before = count(kind);
    const responses = await Promise.all([post(path, body(), { key }), post(path, body(), { key, at: second })]);
    const ids = new Set(responses.map((response) => idOf(response, id)));
    expect([ids.size, responses.filter(isReplay).length]).toEqual([1, 1]);
    await expect.poll(() => count(kind)).toBe(before + 1);
  });
});

test("a key of a task is none of a shell", async () => {
  const key = newKey();
  expect((await post("/v1/services/:id", { input: 1 }, { key })).status).toBe(201);
  const shell = await post("/v1/shells", {}, { key });
  expect([shell.status, isReplay(shell)]).toEqual([202, false]);
});

test("a key of one user is none of another user of the team", async () => {
  const key = newKey();
  const body = { name: "ci", scopes: ["tasks:read"] };
  const first = await post("/v1/keys", body, { key });
  const { teamId } = api.own;
  await api.store.commit([
    create("users", { id: "grace", name: "grace", createdAt: 0 }),
    create("memberships", { userId: "grace", teamId, role: "member", createdAt: 0 }),
  ]);
  const own = await addKey(api.store, { userId: "grace", defaultTeamId: teamId, scopes: ["keys", "tasks:read"] });
  const headers = { "idempotency-key": key };
  const other = await call(`${api.url}/v1/keys`, { key: own, body: JSON.stringify(body), headers });
  expect([other.status, isReplay(other), idOf(other, "key_id") === idOf(first, "key_id")]).toEqual([201, false, false]);
});

const CREATIONS: readonly [kind: Kind, path: string, body: () => object][] = [
  ...ONE_TIME.map(([kind, path, body]): [Kind, string, () => object] => [kind, path, body]),
  ["services", "/v1/services", () => ({ service_name: newKey() })],
];
const LOST = ["lost before it was applied", "lost after it was applied"] as const;

describe.each(LOST)("where the store's response is %s", (lost) => {
  test.each(CREATIONS)("one of %s is made by POST %s", async (kind, path, body) => {
    const before = count(kind);
    api.kv.faults.lostAnswers.push(lost);
    const { status } = await post(path, body());
    expect(status).toBeLessThan(300);
    expect(api.kv.faults.lostAnswers).toEqual([]);
    expect(count(kind)).toBe(before + 1);
  });
});
