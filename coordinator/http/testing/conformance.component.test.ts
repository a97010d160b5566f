/** That every call of the tests fails where the response is not one that the document describes: planted ones are found. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { apiClient } from "@elastic/test/cluster/api-client.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { documentOf } from "./api-document.ts";
import { call, callRaw } from "./call.ts";
import { readEvents } from "./event-reader.ts";
import { startHttpFixture } from "./http-fixture.ts";

interface Planted {
  readonly status: number;
  readonly type?: string;
  readonly body: string;
}

const REQUEST_ID = "r1";
const PROBLEM = {
  type: "urn:elastic:problem:not_found",
  title: "Not Found",
  status: 404,
  detail: "There is no such task.",
  code: "not_found",
  request_id: REQUEST_ID,
};
const ID = "0".repeat(32);
const KEY = {
  key_id: "a".repeat(10),
  name: "key",
  prefix: "eps_",
  scopes: ["admin"],
  team_id: null,
  created: "2026-01-01T00:00:00",
  expires: null,
  made_by: null,
  last_used: null,
  revoked: null,
};

let server: Server;
let url: string;
let next: Planted;

beforeAll(async () => {
  const api = await startHttpFixture();
  await documentOf(api.url);
  await api.close();
  server = createServer((_request, response) => {
    const { status, type, body } = next;
    response.writeHead(status, {
      "x-request-id": REQUEST_ID,
      "content-length": Buffer.byteLength(body),
      connection: "close",
      ...(type && { "content-type": type }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => server.close());

function planted(status: number, body: object, type = "application/json; charset=utf-8"): Planted {
  return { status, type, body: JSON.stringify(body) };
}

function problem(changes: object, status = 404): Planted {
  return planted(status, { ...PROBLEM, ...changes }, "application/problem+json; charset=utf-8");
}

test.each([
  [`/v1/keys/${ID}`, planted(200, KEY)],
  [`/v1/keys/${ID}`, problem({})],
  ["/v1/nowhere", problem({ code: "route_not_found", type: "urn:elastic:problem:route_not_found" })],
])("%s: what the document says passes", async (path, planted) => {
  next = planted;
  expect((await call(`${url}${path}`)).status).toBe(planted.status);
  expect((await apiClient({ url, key: "" }).call(path)).status).toBe(planted.status);
});

test.each([
  ["a route that is not in it", "/v1/nowhere", planted(200, {}), "no such route"],
  ["a status that is not in it", `/v1/keys/${ID}`, planted(202, KEY), "has no status 202"],
  ["a member less", `/v1/keys/${ID}`, planted(200, { ...KEY, name: undefined }), "'name'"],
  ["a member more", `/v1/keys/${ID}`, planted(200, { ...KEY, secret: "x" }), "additional properties"],
  ["a member of another type", `/v1/keys/${ID}`, planted(200, { ...KEY, name: 1 }), "/name must be string"],
  ["another content type", `/v1/keys/${ID}`, planted(200, KEY, "text/html"), "content type is text/html"],
  ["no content type", `/v1/keys/${ID}`, { status: 200, body: "{}" }, "content type is null"],
  ["a body that is cut", `/v1/keys/${ID}`, { ...planted(200, KEY), body: "{" }, "is not JSON"],
  ["a refusal of another form", "/v1/me", planted(401, { detail: "no" }, "application/problem+json"), "'code'"],
  ["a refusal that is no problem", "/v1/me", planted(401, PROBLEM), "content type is application/json"],
  ["a refusal whose detail is no string", `/v1/keys/${ID}`, problem({ detail: 1 }), "/detail must be string"],
  ["a refusal without a sentence", `/v1/keys/${ID}`, problem({ detail: "" }), "no detail"],
  ["a refusal of another status", `/v1/keys/${ID}`, problem({ status: 403 }), "status is 403"],
  ["a refusal of another kind", `/v1/keys/${ID}`, problem({ code: "no" }), "is of the type"],
  ["a refusal of another request", `/v1/keys/${ID}`, problem({ request_id: "r2" }), "request_id"],
  ["a refusal that is not in it", "/v1/me", problem({}), "has no status 404"],
  ["a failure", `/v1/keys/${ID}`, problem({ status: 500 }, 500), "has no status 500"],
])("%s fails the test", async (_what, path, planted, said) => {
  next = planted;
  await expect(call(`${url}${path}`)).rejects.toThrow(said);
  await expect(callRaw(url, `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`)).rejects.toThrow(said);
  await expect(apiClient({ url, key: "" }).call(path)).rejects.toThrow(said);
});

test("an event whose data is not as it says fails the test", async () => {
  next = {
    status: 200,
    type: "text/event-stream; charset=utf-8",
    body: 'id: 0\nevent: task.created\ndata: {"at":1}\n\n',
  };
  await expect(readEvents(`${url}/v1/tasks/${ID}/events`, { key: "" })).rejects.toThrow("task_id");
});
