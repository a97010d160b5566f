/** What is wrong is refused with a clear 4xx in the one form of refusals, and the next request is served. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import type { Service } from "../domain/service.ts";
import { type Answer, call, callRaw } from "./testing/call.ts";
import { addKey, addReadyService, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";
import { problemSchema } from "./wire/problem-body.ts";

let api: HttpFixture;
let service: Service;
let url: string;

beforeAll(async () => {
  api = await startHttpFixture();
  service = await addReadyService(api.store, api.own);
  url = `${api.url}/v1/services/${service.id}`;
});
afterAll(() => api.close());

afterEach(async () => {
  const next = await call(url, { key: api.own.key, body: '{"input":1}' });
  expect(next.status).toBe(201);
});

function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.json?.code, answer.text.slice(0, 300)]).toEqual([status, code, expect.any(String)]);
  expect(problemSchema.safeParse(answer.json).error).toBeUndefined();
  expect(answer.headers.get("content-type")).toBe("application/problem+json; charset=utf-8");
  expect(answer.headers.get("x-request-id")).toBe(answer.json.request_id);
  expect(answer.json.status).toBe(status);
}

function post(body: string | Uint8Array<ArrayBuffer>, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
  return call(url, { key: api.own.key, body, headers });
}

function head(line: string, ...headers: readonly string[]): string {
  return `${[line, ...headers, "Connection: close"].join("\r\n")}\r\n\r\n`;
}

test.each([
  ["nothing", "", 400, "not_json"],
  ["no JSON", "input=1", 400, "not_json"],
  ["half a JSON", '{"input":', 400, "not_json"],
  ["two documents", '{"input":1}{"input":2}', 400, "not_json"],
  ["a byte order mark", '\ufeff{"input":1}', 400, "not_json"],
  ["an array", "[1]", 400, "not_an_object"],
  ["null", "null", 400, "not_an_object"],
  ["no input", '{"inputs":1}', 422, "input_missing"],
  ["a key that stands twice", '{"input":1,"a":1,"a":2}', 400, "duplicate_key"],
  ["an input that stands twice, once escaped", '{"input":1,"\\u0069nput":2}', 400, "duplicate_key"],
  ["65 levels", `{"input":${"[".repeat(64)}${"]".repeat(64)}}`, 400, "too_deep"],
])("a body with %s", async (_what, body, status, code) => {
  expectProblem(await post(body), status, code);
});

test("a body that is not UTF-8", async () => {
  expectProblem(await post(Uint8Array.from([0x7b, 0x22, 0xc0, 0x80, 0x22, 0x3a, 0x31, 0x7d])), 400, "not_utf8");
});

test("a million levels are answered in milliseconds", async () => {
  const body = `{"input":${"[".repeat(1_000_000)}${"]".repeat(1_000_000)}}`;
  const before = performance.now();
  expectProblem(await post(body), 400, "too_deep");
  expect(performance.now() - before).toBeLessThan(500);
});

test("a body over the limit, declared or not", async () => {
  expectProblem(await post(`{"input":"${"x".repeat(11 * 1024 * 1024)}"}`), 413, "body_too_large");
  const declared = head(
    `POST /v1/services/${service.id} HTTP/1.1`,
    "Host: x",
    `X-Api-Key: ${api.own.key}`,
    "Content-Type: application/json",
    "Content-Length: 100000000",
  );
  expectProblem(await callRaw(api.url, `${declared}{"input":`), 413, "body_too_large");
  const endless = head(
    `POST /v1/services/${service.id} HTTP/1.1`,
    "Host: x",
    `X-Api-Key: ${api.own.key}`,
    "Content-Type: application/json",
    "Transfer-Encoding: chunked",
  );
  const chunk = `100000\r\n${" ".repeat(1 << 20)}\r\n`;
  expectProblem(await callRaw(api.url, endless + chunk.repeat(11)), 413, "body_too_large");
});

test("a content type that is not JSON, another charset, and compressed bodies", async () => {
  for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data"]) {
    expectProblem(await post("{}", { "content-type": type }), 415, "content_type");
  }
  expectProblem(await post("{}", { "content-type": "application/json; charset=latin1" }), 415, "content_type");
  expectProblem(await post("{}", { "content-encoding": "gzip" }), 415, "content_encoding");
  expect((await post('{"input":1}', { "content-type": 'application/json; charset="UTF-8"' })).status).toBe(201);
});

test("a key that is missing, malformed, unknown, expired or without the scope", async () => {
  expectProblem(await call(url, { body: '{"input":1}' }), 401, "key_missing");
  expectProblem(await call(url, { key: "eps_nonsense", body: '{"input":1}' }), 401, "key_invalid");
  const { userId, teamId: defaultTeamId } = api.own;
  const expired = await addKey(api.store, { userId, defaultTeamId, expiresAt: Date.now() - 1 });
  expectProblem(await call(url, { key: expired, body: '{"input":1}' }), 401, "key_invalid");
  const reader = await addKey(api.store, { userId, defaultTeamId, scopes: ["tasks:read"] });
  expectProblem(await call(url, { key: reader, body: '{"input":1}' }), 403, "scope_missing");
  const answer = await call(url, { body: '{"input":1}' });
  expect(answer.headers.get("www-authenticate")).toContain("x-api-key");
});

test("headers that stand twice", async () => {
  const line = `GET /v1/tasks HTTP/1.1`;
  const key = `X-Api-Key: ${api.own.key}`;
  expectProblem(await callRaw(api.url, head(line, "Host: a", "Host: b", key)), 400, "duplicate_header");
  expectProblem(await callRaw(api.url, head(line, "Host: a", key, key)), 400, "duplicate_header");
  const post = `POST /v1/services/${service.id} HTTP/1.1`;
  const json = "Content-Type: application/json";
  const twoLengths = head(post, "Host: a", key, json, "Content-Length: 11", "Content-Length: 12");
  expectProblem(await callRaw(api.url, `${twoLengths}{"input":1}`), 400, "bad_request");
});

test("what is not HTTP", async () => {
  for (const text of [
    "nonsense\r\n\r\n",
    "get /healthz HTTP/1.1\r\nHost: x\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nHost : x\r\n\r\n",
    "GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ]) {
    expectProblem(await callRaw(api.url, text), 400, "bad_request");
  }
  // Refused for its head before its body is looked at, and then not once more for its body.
  const oddBody = "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\nGET /healthz HTTP/1.1\r\n\r\n";
  expectProblem(await callRaw(api.url, oddBody), 400, "bad_request");
  const large = head("GET /healthz HTTP/1.1", "Host: x", `X-Large: ${"x".repeat(20_000)}`);
  expectProblem(await callRaw(api.url, large), 431, "headers_too_large");
});

test("paths and methods that are not there", async () => {
  const nowhere = ["/", "/v1", "/v1/", "/v1/nope", "/v1//tasks", "/v2/tasks"];
  for (const path of nowhere) {
    expectProblem(await callRaw(api.url, head(`GET ${path} HTTP/1.1`, "Host: x")), 404, "route_not_found");
  }
  expectProblem(await callRaw(api.url, head("GET /v1/tasks/%zz HTTP/1.1", "Host: x")), 400, "bad_request");
  for (const [method, path] of [
    ["DELETE", "/v1/tasks"],
    ["PUT", `/v1/services/${service.id}`],
    ["OPTIONS", "/v1/tasks"],
    ["TRACE", "/v1/tasks"],
    ["PATCH", "/healthz"],
  ]) {
    const answer = await callRaw(api.url, head(`${method} ${path} HTTP/1.1`, "Host: x"));
    expectProblem(answer, 405, "method_not_allowed");
    expect(answer.headers.get("allow")).toBeTruthy();
  }
  const overridden = await call(`${api.url}/healthz`, { headers: { "x-http-method-override": "DELETE" } });
  expect(overridden.status).toBe(200);
});

test("bodies of other endpoints pass the same gate", async () => {
  const services = `${api.url}/v1/services`;
  const send = (body: string) => call(services, { key: api.own.key, body });
  expectProblem(await send("{"), 400, "not_json");
  expectProblem(await send('{"service_name":"a","service_name":"b"}'), 400, "duplicate_key");
  expectProblem(await send("[]"), 400, "not_an_object");
  expectProblem(await send("{}"), 422, "invalid_request");
  expectProblem(await send(`{"service_name":"${"a".repeat(100_000)}"}`), 413, "body_too_large");
  const answer = await send('{"service_name":"a b"}');
  expectProblem(answer, 422, "invalid_request");
  expect(answer.json.errors).toEqual([{ pointer: "#/service_name", detail: expect.any(String) }]);
});
