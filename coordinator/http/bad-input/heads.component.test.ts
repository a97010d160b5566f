/** Request lines and headers: what is no HTTP, what two readers could take for two things, and what is not there. */
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type ApiApart, startApiApart } from "../testing/api-apart.ts";
import { type CallResponse, call, callRaw, sendRaw } from "../testing/call.ts";
import { expectRefused } from "../testing/refusal.ts";

let api: ApiApart;
let key: string;

beforeAll(async () => {
  api = await startApiApart();
  key = `x-api-key: ${api.key}`;
});
afterAll(() => api[Symbol.asyncDispose]());

afterEach(async () => {
  const next = await call(`${api.url}/v1/me`, { key: api.key });
  expect(next.status).toBe(200);
});

function raw(text: string | Uint8Array): Promise<CallResponse> {
  return api.unstalled(() => callRaw(api.url, text));
}

/** The line and the headers, and that nothing follows. */
function send(line: string, ...headers: readonly string[]): Promise<CallResponse> {
  return raw(`${[line, ...headers, "connection: close"].join("\r\n")}\r\n\r\n`);
}

function sendWithBody(headers: readonly string[], body: string): Promise<CallResponse> {
  const head = [`POST /v1/services/${api.serviceId} HTTP/1.1`, "host: x", key, "connection: close", ...headers];
  return raw(`${head.join("\r\n")}\r\n\r\n${body}`);
}

const JSON_OF_11 = ["content-type: application/json", "content-length: 11"];
const BODY = '{"input":1}';

describe("what is not HTTP:", () => {
  test.each([
    ["words", "nonsense\r\n\r\n"],
    ["a method in lower case", "get /healthz HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a method that is none", "FETCH /healthz HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a version that is none", "GET /healthz HTTP/1.9\r\nhost: x\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["TLS", "\u0016\u0003\u0001\u0000\u0005\u0001\u0000\u0000\u0001\u0000"],
    ["a space before a colon", "GET /healthz HTTP/1.1\r\nhost : x\r\n\r\n"],
    ["a header without a name", "GET /healthz HTTP/1.1\r\nhost: x\r\n: y\r\n\r\n"],
    ["a header in two lines", "GET /healthz HTTP/1.1\r\nhost: x\r\na: b\r\n c\r\n\r\n"],
    ["a NUL in a header", "GET /healthz HTTP/1.1\r\nhost: x\r\na: \0\r\n\r\n"],
    ["an escape in a header", "GET /healthz HTTP/1.1\r\nhost: x\r\nx-request-id: \u001b[31m\r\n\r\n"],
    ["a carriage return alone", "GET /healthz HTTP/1.1\r\nhost: x\r\na: b\rc: d\r\n\r\n"],
    ["line feeds alone", "GET /healthz HTTP/1.1\nhost: x\n\n"],
    ["a space in the path", "GET /v1/tasks/a b HTTP/1.1\r\nhost: x\r\n\r\n"],
    ["a path that is not ASCII", "GET /v1/tasks/é HTTP/1.1\r\nhost: x\r\n\r\n"],
  ])("%s", async (_what, text) => {
    expectRefused(await raw(text), 400, "bad_request");
  });
});

describe("a header that means one thing and stands twice:", () => {
  test.each([
    "host",
    "x-api-key",
    "x-team",
    "x-request-id",
    "content-type",
    "content-encoding",
    "authorization",
    "idempotency-key",
  ])("%s", async (name) => {
    const twice = ["host: x", key].filter((header) => !header.startsWith(`${name}:`));
    const response = await send("GET /v1/me HTTP/1.1", ...twice, `${name}: a`, `${name.toUpperCase()}: a`);
    expectRefused(response, 400, "duplicate_header");
  });

  test("lengths and codings are refused by whoever reads the body", async () => {
    const twice = ["transfer-encoding: chunked", "transfer-encoding: chunked"];
    expectRefused(await sendWithBody(["content-type: application/json", ...twice], ""), 400, "bad_request");
    expectRefused(await sendWithBody([...JSON_OF_11, "content-length: 11"], BODY), 400, "bad_request");
  });
});

test("a body in chunks is refused of HTTP/1.0, which has none: a proxy would see two requests in it", async () => {
  const headers = ["host: x", key, "content-type: application/json", "transfer-encoding: chunked"];
  for (const [version, status] of [
    ["1.1", 201],
    ["1.0", 400],
  ] as const) {
    const head = [`POST /v1/services/${api.serviceId} HTTP/${version}`, ...headers, "connection: close"];
    const response = await raw(`${head.join("\r\n")}\r\n\r\nb\r\n${BODY}\r\n0\r\n\r\n`);
    expect([version, response.status]).toEqual([version, status]);
    if (status === 400) expectRefused(response, 400, "bad_request");
  }
});

describe("a head", () => {
  test("without Host is refused, and with an empty one it is not", async () => {
    expectRefused(await send("GET /healthz HTTP/1.1"), 400, "bad_request");
    expect((await send("GET /healthz HTTP/1.1", "host:")).status).toBe(200);
    expect((await send("GET /healthz HTTP/1.0")).status).toBe(200);
  });

  test.each([
    ["one header of 20,000 bytes", [`a: ${"x".repeat(20_000)}`]],
    ["10,000 headers", Array.from({ length: 10_000 }, (_, n) => `h${n}: x`)],
    ["10,000 times the same", Array.from({ length: 10_000 }, () => "a:")],
    ["a key of 20,000 bytes", [`x-api-key: eps_${"x".repeat(20_000)}`]],
  ])("of %s is refused", async (_what, headers) => {
    expectRefused(await send("GET /healthz HTTP/1.1", "host: x", ...headers), 431, "headers_too_large");
  });

  test("with a path of 20,000 bytes is refused", async () => {
    expectRefused(await send(`GET /v1/tasks/${"a".repeat(20_000)} HTTP/1.1`, "host: x"), 431, "headers_too_large");
  });

  test("with as many headers as fit hides none of them", async () => {
    const many = Array.from({ length: 2_500 }, () => "a:");
    const response = await send("GET /v1/me HTTP/1.1", "host: x", key, ...many, key);
    expect([400, 431]).toContain(response.status);
  });

  test("that says where it came from is not believed", async () => {
    const headers = ["x-forwarded-host: evil.example", "x-forwarded-proto: https", "forwarded: host=evil.example"];
    const response = await sendWithBody([...JSON_OF_11, ...headers], BODY);
    expect([response.status, response.text.includes("evil"), response.headers.get("location")]).toEqual([
      201,
      false,
      expect.stringContaining("http://127.0.0.1:"),
    ]);
  });

  test.each(["\xff", "a b", "x".repeat(65), "<script>", "../"])(
    "whose x-request-id is %s is given another",
    async (id) => {
      const { headers } = await send("GET /healthz HTTP/1.1", "host: x", `x-request-id: ${id}`);
      expect(headers.get("x-request-id")).toMatch(/^[0-9a-f]{32}$/);
    },
  );
});

describe("Expect", () => {
  test("100-continue gets its response before the body, and the request gets its own after it", async () => {
    const head = ["host: x", key, "connection: close", ...JSON_OF_11, "expect: 100-continue"];
    const text = `${[`POST /v1/services/${api.serviceId} HTTP/1.1`, ...head].join("\r\n")}\r\n\r\n${BODY}`;
    const response = await sendRaw(api.url, text);
    expect([response.status, response.text.split("\r\n", 1)[0]]).toEqual([100, "HTTP/1.1 201 Created"]);
  });

  test.each(["200-ok", "100", ""])("%j is not met", async (expected) => {
    expectRefused(await sendWithBody([...JSON_OF_11, `expect: ${expected}`], BODY), 417, "expectation_failed");
    expectRefused(await send("GET /v1/me HTTP/1.1", "host: x", `expect: ${expected}`), 417, "expectation_failed");
  });
});

describe("a method that the path does not have:", () => {
  test.each([
    ["DELETE", "/v1/tasks"],
    ["PUT", "/v1/services/x"],
    ["OPTIONS", "/v1/tasks"],
    ["TRACE", "/v1/tasks"],
    ["PATCH", "/healthz"],
    ["PROPFIND", "/v1/me"],
    ["POST", "/v1/me"],
    ["HEAD", "/v1/tasks/x/events"],
  ])("%s %s", async (method, path) => {
    const response = await send(`${method} ${path} HTTP/1.1`, "host: x", key);
    expect([response.status, response.headers.get("allow")]).toEqual([405, expect.stringMatching(/[A-Z]/)]);
    if (method !== "HEAD") expectRefused(response, 405, "method_not_allowed");
  });

  test("CONNECT, as this is no proxy", async () => {
    expectRefused(await send("CONNECT other.example:443 HTTP/1.1", "host: x"), 405, "method_not_allowed");
  });

  test("one that a header names is not looked at", async () => {
    const override = "x-http-method-override: DELETE";
    expect((await send("GET /healthz HTTP/1.1", "host: x", override)).status).toBe(200);
  });

  test("another protocol that a connection is to become", async () => {
    for (const protocol of ["websocket", "h2c"]) {
      const head = ["GET /healthz HTTP/1.1", "host: x", "connection: close, upgrade", `upgrade: ${protocol}`];
      expect((await raw(`${head.join("\r\n")}\r\n\r\n`)).status).toBe(200);
    }
  });
});

describe("a path", () => {
  test.each([
    "/",
    "/v1",
    "/v1/",
    "/v1/nope",
    "/v2/tasks",
    "/v1//tasks",
    "//v1/tasks",
    "/V1/TASKS",
    "/v1/./tasks",
    "/v1/x/../tasks",
    "/v1/%2e%2e/healthz",
    "/v1%2ftasks",
    "/v1/tasks;a=b",
    "/healthz%00",
    "/healthz/../v1/me",
    "*",
  ])("%s leads nowhere", async (path) => {
    const method = path === "*" ? "OPTIONS" : "GET";
    expectRefused(await send(`${method} ${path} HTTP/1.1`, "host: x", key), 404, "route_not_found");
  });

  test.each(["\\v1\\tasks", "/v1/tasks/%zz", "/v1/tasks/%", "/v1/tasks/%ff", "/v1/tasks/%c0%af", "/healthz#a"])(
    "%s is none",
    async (path) => expectRefused(await send(`GET ${path} HTTP/1.1`, "host: x", key), 400, "bad_request"),
  );

  test.each([
    ["of none", ""],
    ["of 31 characters", "a".repeat(31)],
    ["of 33 characters", "a".repeat(33)],
    ["in capitals", "A".repeat(32)],
    ["that is not hexadecimal", "g".repeat(32)],
    ["of digits that are not ASCII", encodeURIComponent("٠".repeat(32))],
    ["of letters of full width", encodeURIComponent("ａ".repeat(32))],
    ["that ends in a NUL", `${"a".repeat(32)}%00`],
    ["that ends in a line feed", `${"a".repeat(32)}%0a`],
    ["that climbs", "..%2f..%2fetc%2fpasswd"],
    ["that is a key of every object", "__proto__"],
    ["of another kind", "constructor"],
    ["of 10,000 characters", "a".repeat(10_000)],
  ])("with an id %s finds nothing", async (_what, id) => {
    for (const path of [`/v1/tasks/${id}`, `/v1/services/${id}`, `/v1/keys/${id}`, `/v1/webhooks/${id}`]) {
      expectRefused(await send(`GET ${path} HTTP/1.1`, "host: x", key), 404, "not_found");
    }
  });

  test("may be written with the host, which is not looked at, and with characters escaped", async () => {
    expect((await send("GET http://other.example/healthz HTTP/1.1", "host: x")).status).toBe(200);
    expect((await send("GET /health%7a HTTP/1.1", "host: x")).status).toBe(200);
  });
});

describe("a query", () => {
  test.each([
    ["a member that stands twice", "size=1&size=2"],
    ["a number that is none", "size=ten"],
    ["nothing for a number", "page=&size=0"],
    ["a number beyond all bounds", "page=1e400"],
    ["a number that no double holds", "page=9007199254740993"],
    ["a time that is none", "created_after=2026-02-30T00:00:00"],
    ["a time in another form", "created_after=2026-02-28"],
    ["a state that is none", "state=pending"],
    ["a cursor that is none", "cursor=x"],
    ["a text that turns the reading", "phase=%E2%80%AEqueued"],
  ])("with %s is refused", async (_what, query) => {
    expectRefused(await send(`GET /v1/tasks?${query} HTTP/1.1`, "host: x", key), 422, "invalid_request");
  });

  test.each(["__proto__=1", "constructor[prototype]=1", "a=%zz", "=", "%00=%00", "a".repeat(10_000)])(
    "of %s is of no parameter that there is",
    async (query) =>
      expectRefused(await send(`GET /v1/tasks?${query} HTTP/1.1`, "host: x", key), 422, "invalid_request"),
  );

  test("of nothing is none", async () => {
    expect((await send("GET /v1/tasks?&&& HTTP/1.1", "host: x", key)).status).toBe(200);
  });

  test("of 3,000 members is read at once", async () => {
    const query = Array.from({ length: 3_000 }, (_, n) => `a${n}`)
      .join("&")
      .slice(0, 15_000);
    expectRefused(await send(`GET /v1/tasks?${query} HTTP/1.1`, "host: x", key), 422, "invalid_request");
  });
});
