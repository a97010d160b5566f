/** The document is valid by a public validator, and what the API answers is what the document says. */
import { createHash } from "node:crypto";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, call } from "../testing/call.ts";
import { addReadyService, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { claimTask, failTask, succeedTask } from "../testing/run-task.ts";

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: object;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, { schema: object }>> }>>;
}

let api: HttpFixture;
let document: Document;

beforeAll(async () => {
  api = await startHttpFixture();
  document = JSON.parse((await call(`${api.url}/v1/openapi.json`)).text);
});
afterAll(() => api.close());

test("it is a valid OpenAPI 3.1 document", async () => {
  expect(document.openapi).toBe("3.1.0");
  const result = await new Validator().validate({ ...structuredClone(document) });
  expect(result).toMatchObject({ valid: true });
});

test("every operation has a name of its own and describes its refusals", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(10);
  const guarded = operations.filter(({ operationId }) => !["health", "ready"].includes(operationId));
  for (const { operationId, responses } of guarded) {
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(["401", "503"])]);
  }
});

test("answers are as their schemas say", async () => {
  const { key } = api.own;
  const service = await addReadyService(api.store, api.own);
  const at = `${api.url}/v1/services/${service.id}`;
  const created = await call(at, { key, body: '{"input":{"a":1}}' });
  expectConforms("post", "/v1/services/{id}", created);
  const id: string = created.json.task_id;
  const task = `${api.url}/v1/tasks/${id}`;
  expectConforms("get", "/v1/tasks/{id}", await call(task, { key }));
  await claimTask(api, id);
  await succeedTask(api, id, "proof");
  expectConforms("get", "/v1/tasks/{id}", await call(task, { key }));
  expectConforms("post", "/v1/tasks/{id}/cancel", await call(`${task}/cancel`, { key, method: "POST" }));
  const failed = (await call(at, { key, body: '{"input":1}' })).json.task_id;
  await claimTask(api, failed);
  await failTask(api, failed, { exitCode: 1 });
  expectConforms("get", "/v1/tasks/{id}", await call(`${api.url}/v1/tasks/${failed}`, { key }));
  expectConforms("get", "/v1/tasks", await call(`${api.url}/v1/tasks`, { key }));
  expectConforms("get", "/v1/tasks", await call(`${api.url}/v1/tasks?size=x`, { key }));
  expectConforms("get", "/v1/teams", await call(`${api.url}/v1/teams`, { key }));
  expectConforms("get", "/v1/services", await call(`${api.url}/v1/services`, { key }));
  expectConforms("get", "/v1/services/{id}", await call(at, { key }));
  expectConforms("get", "/v1/services/{id}", await call(at));
  const deployed = await call(`${at}/deployments`, { key, body: '{"image":"builtin:noop"}' });
  expectConforms("post", "/v1/services/{id}/deployments", deployed);
  expectConforms("get", "/v1/services/{id}/deployments", await call(`${at}/deployments`, { key }));
  expectConforms("get", "/readyz", await call(`${api.url}/readyz`));
});

test("what is sent to webhooks is described, and the records in it are those of the interface", () => {
  const described = JSON.stringify((document as unknown as { webhooks: object }).webhooks);
  const names = [...described.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);
  expect(names).toEqual(["Task", "Deployment"]);
  expect((document.components as { schemas: object }).schemas).toMatchObject({ Task: {}, Deployment: {} });
});

test("answers about webhooks are as their schemas say", async () => {
  const { key } = api.own;
  const service = await addReadyService(api.store, api.own);
  const list = `${api.url}/v1/services/${service.id}/webhooks`;
  const made = await call(list, { key, body: '{"name":"hook","url":"https://hooks.example/"}' });
  expectConforms("post", "/v1/services/{id}/webhooks", made);
  const refused = await call(list, { key, body: '{"name":"hook","url":"https://10.0.0.1/"}' });
  expectConforms("post", "/v1/services/{id}/webhooks", refused);
  expectConforms("get", "/v1/services/{id}/webhooks", await call(list, { key }));
  const at = `${api.url}/v1/webhooks/${JSON.parse(made.text).webhook_id}`;
  expectConforms("get", "/v1/webhooks/{id}", await call(at, { key }));
  expectConforms("post", "/v1/webhooks/{id}/rotate-secret", await call(`${at}/rotate-secret`, { key, method: "POST" }));
  const tested = await call(`${at}/test`, { key, method: "POST" });
  expectConforms("post", "/v1/webhooks/{id}/test", tested);
  expectConforms("get", "/v1/webhooks/{id}/deliveries", await call(`${at}/deliveries`, { key }));
  const delivery = `${api.url}/v1/deliveries/${JSON.parse(tested.text).delivery_id}`;
  expectConforms("get", "/v1/deliveries/{id}", await call(delivery, { key }));
  expectConforms("post", "/v1/deliveries/{id}/redeliver", await call(`${delivery}/redeliver`, { key, method: "POST" }));
  const changed = await call(at, { key, method: "PATCH", body: '{"enabled":false}' });
  expectConforms("patch", "/v1/webhooks/{id}", changed);
  expectConforms("post", "/v1/webhooks/{id}/test", await call(`${at}/test`, { key, method: "POST" }));
});

test("answers about deployments and volumes are as their schemas say", async () => {
  const { key } = api.own;
  const service = await addReadyService(api.store, api.own);
  const deployments = `${api.url}/v1/services/${service.id}/deployments`;
  const deployed = await call(deployments, { key, body: '{"image":"builtin:noop"}' });
  const at = "/v1/services/{id}/deployments/{deploymentId}";
  expectConforms("get", at, await call(`${deployments}/${deployed.json.deployment_id}`, { key }));
  const back = `${api.url}/v1/services/${service.id}/rollback`;
  expectConforms("post", "/v1/services/{id}/rollback", await call(back, { key, body: "{}" }));
  const named = JSON.stringify({ deployment_id: service.currentDeploymentId });
  expectConforms("post", "/v1/services/{id}/rollback", await call(back, { key, body: named }));

  const body = "proving key";
  const sha256 = createHash("sha256").update(body).digest("hex");
  const files = `${api.url}/v1/volumes/files/`;
  const binary = { key, method: "PUT", body, headers: { "content-type": "application/octet-stream" } };
  expectConforms("put", "/v1/volumes/files/{sha256}", await call(`${files}${sha256}`, binary));
  expectConforms("put", "/v1/volumes/files/{sha256}", await call(`${files}${"0".repeat(64)}`, binary));
  const volumes = `${api.url}/v1/volumes`;
  const made = await call(volumes, {
    key,
    body: JSON.stringify({ name: "keys", files: [{ path: "k", sha256, bytes: body.length }] }),
  });
  expectConforms("post", "/v1/volumes", made);
  const missing = [{ path: "k", sha256: "0".repeat(64), bytes: 1 }];
  expectConforms(
    "post",
    "/v1/volumes",
    await call(volumes, { key, body: JSON.stringify({ name: "v", files: missing }) }),
  );
  expectConforms("get", "/v1/volumes", await call(volumes, { key }));
  expectConforms("get", "/v1/volumes/{id}", await call(`${volumes}/${made.json.volume_id}`, { key }));
});

test("answers about keys and teams are as their schemas say", async () => {
  const { key, teamId } = api.own;
  const keys = `${api.url}/v1/keys`;
  const made = await call(keys, { key, body: '{"name":"ci","scopes":["tasks:read"]}' });
  expectConforms("post", "/v1/keys", made);
  expectConforms("post", "/v1/keys", await call(keys, { key, body: '{"name":"ci","scopes":["all"]}' }));
  expectConforms("post", "/v1/keys", await call(keys, { key: made.json.key, body: "{}" }));
  expectConforms("get", "/v1/keys", await call(keys, { key }));
  expectConforms("get", "/v1/keys/{id}", await call(`${keys}/${made.json.key_id}`, { key }));
  expectConforms("get", "/v1/me", await call(`${api.url}/v1/me`, { key }));
  const team = `${api.url}/v1/teams/${teamId}`;
  expectConforms("get", "/v1/teams/{id}/members", await call(`${team}/members`, { key }));
  const last = await call(`${team}/members/${api.own.userId}`, { key, method: "DELETE" });
  expectConforms("delete", "/v1/teams/{id}/members/{userId}", last);
  const invited = await call(`${team}/invitations`, { key, body: "{}" });
  expectConforms("post", "/v1/teams/{id}/invitations", invited);
  expectConforms("get", "/v1/teams/{id}/invitations", await call(`${team}/invitations`, { key }));
  const accept = (code: string) =>
    call(`${api.url}/v1/invitations/accept`, { key: api.other.key, body: JSON.stringify({ code }) });
  expectConforms("post", "/v1/invitations/accept", await accept(invited.json.code));
  expectConforms("post", "/v1/invitations/accept", await accept(invited.json.code));
});

function expectConforms(method: string, path: string, answer: Answer): void {
  const described = document.paths[path]?.[method]?.responses[String(answer.status)];
  const content = Object.values(described?.content ?? {})[0];
  if (content === undefined) throw new Error(`${method} ${path} does not describe ${answer.status}`);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  const validate = ajv.compile({ ...content.schema, components: document.components });
  expect([method, path, validate(answer.json), validate.errors]).toEqual([method, path, true, null]);
}
