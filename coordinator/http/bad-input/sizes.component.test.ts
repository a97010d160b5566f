/** Bodies at their limit, beyond it, without end, and that are not as long as they say. */
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ApiApart, startApiApart } from "../testing/api-apart.ts";
import { type CallResponse, call, callRaw } from "../testing/call.ts";
import { expectRefused } from "../testing/refusal.ts";

const KIB = 1024;
const MIB = 1024 * KIB;
const SMALL = 64 * KIB;
const TASK = 10 * MIB + SMALL;
const VOLUME = 2 * MIB;
const GIB = 1024 * MIB;

let api: ApiApart;
let key: string;

beforeAll(async () => {
  api = await startApiApart();
  key = api.key;
});
afterAll(() => api[Symbol.asyncDispose]());

/** `{id}` stands for the service. */
function at(path: string): string {
  return path.replace("{id}", api.serviceId);
}

/** White space is part of what is sent and of nothing else. */
function padded(body: string, bytes: number): string {
  return body + " ".repeat(bytes - body.length);
}

/** `NEW` stands for another name each time. At their limit all but the first of these respond that they have read it. */
const LIMITS: readonly (readonly [path: string, bytes: number, body: string, status: number])[] = [
  ["/v1/services/{id}", TASK, '{"input":1}', 201],
  ["/v1/services", SMALL, '{"service_name":"NEW"}', 201],
  ["/v1/services/{id}/deployments", SMALL, '{"image":"builtin:noop"}', 201],
  ["/v1/services/{id}/rollback", SMALL, "{}", 409],
  ["/v1/services/{id}/webhooks", SMALL, '{"name":"a","url":"https://hooks.example/"}', 201],
  ["/v1/tasks/cancel", SMALL, '{"task_ids":[]}', 200],
  ["/v1/keys", SMALL, '{"name":"a","scopes":["keys"]}', 201],
  ["/v1/invitations/accept", SMALL, '{"code":"a"}', 404],
  ["/v1/volumes", VOLUME, '{"name":"a","files":[]}', 422],
];

describe.each(LIMITS)("POST %s", (path, limit, body, status) => {
  test.each([
    ["one byte less than the limit", -1],
    ["just the limit", 0],
  ])("takes %s", async (_what, more) => {
    const sent = padded(body.replace("NEW", `a${-more}`), limit + more);
    const response = await api.unstalled(() => call(api.url + at(path), { key, body: sent }));
    expect([response.status, response.text.slice(0, 200)]).toEqual([status, expect.any(String)]);
  });

  test("refuses one byte more", async () => {
    const sent = padded(body, limit + 1);
    const response = await api.unstalled(() => call(api.url + at(path), { key, body: sent }));
    expectRefused(response, 413, "body_too_large");
    const way = path === "/v1/services/{id}" ? / Send a larger one ahead by POST \/v1\/uploads / : /takes\.$/;
    expect(JSON.parse(response.text).detail).toMatch(new RegExp(`more than the ${limit} bytes`));
    expect(JSON.parse(response.text).detail).toMatch(way);
  });
});

test("an input of 10 MiB is taken, and one byte more is refused as an input", async () => {
  const input = (bytes: number) => `{"input":"${"x".repeat(bytes - 2)}"}`;
  const send = (body: string) => api.unstalled(() => call(api.url + at("/v1/services/{id}"), { key, body }));
  expect((await send(input(10 * MIB))).json.input_bytes).toBe(10 * MIB);
  expectRefused(await send(input(10 * MIB + 1)), 413, "input_too_large");
});

describe("an input of 10 MiB that is costly to read holds nothing up:", () => {
  test.each([
    ["numbers", `[${"1,".repeat(5 * MIB - 16)}1]`],
    ["escapes", `[${'"\\u0061",'.repeat(MIB)}1]`],
    ["arrays", `[${"[],".repeat(3 * MIB)}1]`],
    ["one number", "9".repeat(10 * MIB - 16)],
    ["members", `{${'"a":1,'.repeat(MIB)}"a":1}`],
    ["characters of three bytes", `"${"€".repeat(3 * MIB)}"`],
  ])("%s", async (_what, input) => {
    const body = `{"input":${input}}`;
    const response = await api.unstalled(() => call(api.url + at("/v1/services/{id}"), { key, body }));
    expect([response.status, response.json.input_bytes]).toEqual([201, Buffer.byteLength(input)]);
  });
});

/** As it is written on the wire. */
function send(path: string, headers: readonly string[], body: string, method = "POST"): Promise<CallResponse> {
  const lines = [`${method} ${at(path)} HTTP/1.1`, "host: x", `x-api-key: ${key}`, ...headers];
  const json = lines.some((line) => line.startsWith("content-type")) ? [] : ["content-type: application/json"];
  const text = `${[...lines, ...json, "connection: close"].join("\r\n")}\r\n\r\n${body}`;
  return api.unstalled(() => callRaw(api.url, text));
}

const CHUNKED = ["transfer-encoding: chunked"];

describe("a body", () => {
  test.each([
    ["/v1/services/{id}", 100_000_000],
    ["/v1/services", 100_000_000],
    ["/v1/volumes", Number.MAX_SAFE_INTEGER],
  ])("of %s that is declared as %d bytes is refused at its head", async (path, bytes) => {
    expectRefused(await send(path, [`content-length: ${bytes}`], '{"input":'), 413, "body_too_large");
  });

  test("of bytes of any kind is refused at its head too, once the client has paused for long enough", async () => {
    const responses = await Promise.all([
      send("/v1/uploads", [`content-length: ${GIB + 1}`], "1"),
      send("/v1/uploads", [`content-length: ${Number.MAX_SAFE_INTEGER}`], "1"),
      send(`/v1/volumes/files/${"0".repeat(64)}`, [`content-length: ${1025 * GIB}`], "1", "PUT"),
    ]);
    for (const response of responses) expectRefused(response, 413, "body_too_large");
  });

  test("for a service that is not there is not waited for", async () => {
    const head = [`content-length: ${MIB}`];
    expectRefused(await send(`/v1/services/${"0".repeat(32)}`, head, ""), 404, "not_found");
  });

  test("without an end is refused once it is too long", async () => {
    const chunk = `100000\r\n${" ".repeat(MIB)}\r\n`;
    expectRefused(await send("/v1/services/{id}", CHUNKED, chunk.repeat(11)), 413, "body_too_large");
    expectRefused(await send("/v1/services", CHUNKED, chunk), 413, "body_too_large");
  });

  test("that is refused gets a response although its client continues to send", async () => {
    const body = "x".repeat(30 * MIB);
    for (let n = 0; n < 10; n++) {
      const path = n % 2 === 0 ? "/v1/services" : "/v1/uploads";
      const { status } = await send(path, [`content-length: ${body.length}`], body);
      expect([path, status]).toEqual([path, n % 2 === 0 ? 413 : 400]);
    }
  });

  test("that is refused is the last that its connection brings", async () => {
    const made = '{"service_name":"smuggled"}';
    const head = ["POST /v1/services HTTP/1.1", "host: x", `x-api-key: ${key}`, "content-type: application/json"];
    const first = `${[...head, ...CHUNKED].join("\r\n")}\r\n\r\n80000\r\n${" ".repeat(0x80000)}\r\n0\r\n\r\n`;
    const second = `${[...head, `content-length: ${made.length}`].join("\r\n")}\r\n\r\n${made}`;
    expectRefused(await api.unstalled(() => callRaw(api.url, first + second)), 413, "body_too_large");
    const { text } = await call(`${api.url}/v1/services?size=100`, { key });
    expect(text).not.toContain("smuggled");
  });

  test("in chunks of one byte is read like one in a single piece", async () => {
    const body = [...'{"input":1}'].map((byte) => `1\r\n${byte}\r\n`).join("");
    expect((await send("/v1/services/{id}", CHUNKED, `${body}0\r\n\r\n`)).status).toBe(201);
  });

  test.each([
    ["whose chunks have sizes that are none", "zz\r\n{}\r\n0\r\n\r\n"],
    ["whose chunks have negative sizes", "-1\r\n{}\r\n0\r\n\r\n"],
    ["whose chunks are longer than they say", '1\r\n{"input":1}\r\n0\r\n\r\n'],
    ["whose chunks are larger than any number", `${"f".repeat(20)}\r\n{}\r\n0\r\n\r\n`],
  ])("%s is refused", async (_what, body) => {
    expectRefused(await send("/v1/services/{id}", CHUNKED, body), 400, "bad_request");
  });

  test("of no bytes is no JSON, declared or not", async () => {
    expectRefused(await send("/v1/services/{id}", ["content-length: 0"], ""), 400, "not_json");
    expectRefused(await send("/v1/services/{id}", [], ""), 400, "not_json");
    expectRefused(await send("/v1/services/{id}", CHUNKED, "0\r\n\r\n"), 400, "not_json");
    expectRefused(await send("/v1/services", ["content-length: 0"], ""), 400, "not_json");
    expectRefused(await send("/v1/uploads", ["content-length: 0"], ""), 400, "not_json");
  });

  test.each([
    ["a minus", ["content-length: -1"]],
    ["a plus", ["content-length: +11"]],
    ["hexadecimal", ["content-length: 0xb"]],
    ["a fraction", ["content-length: 11.0"]],
    ["two numbers", ["content-length: 11, 11"]],
    ["more than any number", [`content-length: ${"9".repeat(30)}`]],
    ["another one", ["content-length: 11", "content-length: 12"]],
    ["chunks", ["content-length: 11", "transfer-encoding: chunked"]],
  ])("whose length is given with %s is refused", async (_what, headers) => {
    expectRefused(await send("/v1/services/{id}", headers, '{"input":1}'), 400, "bad_request");
  });

  test.each([["zstd"], ["gzip, chunked"], ["chunked, gzip"], ["xchunked"], ["identity"]])(
    "whose Transfer-Encoding is %s is refused",
    async (coding) => {
      const body = 'b\r\n{"input":1}\r\n0\r\n\r\n';
      expectRefused(await send("/v1/services/{id}", [`transfer-encoding: ${coding}`], body), 400, "bad_request");
    },
  );

  test.each(["gzip", "br", "deflate", "zstd", "gzip, identity", "x"])(
    "whose Content-Encoding is %s is refused unread, at every endpoint",
    async (coding) => {
      const headers = [`content-encoding: ${coding}`, "content-length: 11"];
      for (const path of ["/v1/services/{id}", "/v1/services", "/v1/uploads", "/v1/webhooks/x/test"]) {
        expectRefused(await send(path, headers, '{"input":1}'), 415, "content_encoding");
      }
    },
  );

  test.each([
    "text/plain",
    "application/jsonx",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
    "application/json; charset=utf-8; charset=latin1",
    ";;;",
    "json",
  ])("of the type %s is refused unread", async (type) => {
    const headers = [`content-type: ${type}`, "content-length: 11"];
    expectRefused(await send("/v1/services/{id}", headers, '{"input":1}'), 415, "content_type");
    expectRefused(await send("/v1/services", headers, '{"input":1}'), 415, "content_type");
  });

  test.each([
    "application/json",
    "application/json;charset=utf-8",
    'Application/JSON; charset="UTF-8"',
    "application/json ; x=y",
  ])("of the type %s is read", async (type) => {
    const headers = [`content-type: ${type}`, "content-length: 11"];
    expect((await send("/v1/services/{id}", headers, '{"input":1}')).status).toBe(201);
  });
});
