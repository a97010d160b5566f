import { createHash } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { pino } from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallResponse, call, callRaw } from "../testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

interface UploadResponse {
  readonly upload_id: string;
  readonly bytes: number;
  readonly sha256: string;
  readonly created: string;
  readonly expires: string;
}

function upload(
  body: string | Uint8Array<ArrayBuffer> | ReadableStream,
  type = "application/json",
): Promise<CallResponse> {
  return call(`${api.url}/v1/uploads`, { key: api.own.key, body, headers: { "content-type": type } });
}

function uploadOf(response: CallResponse): UploadResponse {
  return JSON.parse(response.text) as UploadResponse;
}

test("what is sent is stored byte for byte, and its digest, size and expiry are returned", async () => {
  const text = ' {"n":12345678901234567890,"n":1e400} ';
  const response = await upload(text);
  expect(response.status).toBe(201);
  const { upload_id, bytes, sha256, created, expires } = uploadOf(response);
  expect([bytes, sha256]).toEqual([text.length, createHash("sha256").update(text).digest("hex")]);
  expect(Date.parse(`${expires}Z`) - Date.parse(`${created}Z`)).toBe(24 * 3_600_000);
  expect(api.store.view.uploads.get(upload_id)?.value).toMatchObject({ teamId: api.own.teamId, sha256 });
  const blob = await api.blobs.open(api.own.teamId, sha256);
  expect(Buffer.concat((await blob?.stream.toArray()) ?? []).toString()).toBe(text);
});

test("the content type does not matter", async () => {
  for (const type of ["application/octet-stream", "text/plain", "application/json; charset=utf-8"]) {
    expect([type, (await upload("[1]", type)).status]).toEqual([type, 201]);
  }
});

test("a large one is taken as it comes", async () => {
  const piece = Buffer.from(`"${"x".repeat(64 * 1024)}",`);
  const count = 1024;
  let sent = 0;
  const stream = new ReadableStream({
    pull(controller) {
      if (sent === 0) controller.enqueue(Buffer.from("["));
      sent++;
      controller.enqueue(sent <= count ? piece : Buffer.from("0]"));
      if (sent > count) controller.close();
    },
  });
  const response = await upload(stream);
  expect([response.status, uploadOf(response).bytes]).toEqual([201, count * piece.length + 3]);
});

test.each([
  ["", 400, "not_json"],
  ["{", 400, "not_json"],
  ["[1] [2]", 400, "not_json"],
  ["[".repeat(64) + "]".repeat(64), 400, "too_deep"],
])("what could not be an input is refused: %j", async (body, status, code) => {
  const response = await upload(body);
  expect([response.status, response.json.code]).toEqual([status, code]);
});

test("one that is refused in its first bytes gets a response, although its client continues to send", async () => {
  for (let n = 0; n < 5; n++) {
    const response = await upload("[".repeat(20 * 1024 * 1024));
    expect([response.status, response.json?.code]).toEqual([400, "too_deep"]);
  }
});

test("one whose client goes away leaves nothing behind, and is no error of the service", async () => {
  const lines: { readonly level: number }[] = [];
  const watched = await startHttpFixture(
    pino({ level: "debug" }, { write: (line) => void lines.push(JSON.parse(line)) }),
  );
  try {
    const headers = { "x-api-key": watched.own.key, expect: "100-continue", "content-length": "100" };
    const client = request(`${watched.url}/v1/uploads`, { method: "POST", headers });
    client.on("error", () => undefined);
    const put = watched.blobs.put.bind(watched.blobs);
    const gone = Promise.withResolvers<void>();
    watched.blobs.put = (...of) => put(...of).finally(gone.resolve);
    client.flushHeaders();
    await once(client, "continue");
    client.write("[1,");
    client.destroy();
    await gone.promise;
    expect([...watched.store.view.uploads.values()]).toEqual([]);
  } finally {
    await watched.close();
  }
  expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
});

test("a body that is declared too long is refused before it comes", async () => {
  const head = [
    "POST /v1/uploads HTTP/1.1",
    "Host: x",
    `X-Api-Key: ${api.own.key}`,
    `Content-Length: ${1024 ** 3 + 1}`,
    "Connection: close",
  ];
  const response = await callRaw(api.url, `${head.join("\r\n")}\r\n\r\n[`);
  expect([response.status, response.json.code]).toEqual([413, "body_too_large"]);
});

test("a key without the scope uploads nothing, nor does one for a team that is not its own", async () => {
  const { userId, teamId: defaultTeamId } = api.own;
  const reader = await addKey(api.store, { userId, defaultTeamId, scopes: ["tasks:read"] });
  expect((await call(`${api.url}/v1/uploads`, { key: reader, body: "1" })).status).toBe(403);
  const elsewhere = { key: api.own.key, body: "1", headers: { "x-team": api.other.teamId } };
  expect((await call(`${api.url}/v1/uploads`, elsewhere)).status).toBe(404);
});

test("of one key only so many are on their way at once", async () => {
  const { userId, teamId: defaultTeamId } = api.own;
  const key = await addKey(api.store, { userId, defaultTeamId });
  const ends: (() => void)[] = [];
  const started: Promise<void>[] = [];
  const slow = Array.from({ length: 8 }, () => {
    const begun = Promise.withResolvers<void>();
    started.push(begun.promise);
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(Buffer.from("[1"));
        ends.push(() => {
          controller.enqueue(Buffer.from("]"));
          controller.close();
        });
      },
      pull: () => begun.resolve(),
    });
    return call(`${api.url}/v1/uploads`, { key, body });
  });
  await Promise.all(started);
  await expect.poll(async () => (await call(`${api.url}/v1/uploads`, { key, body: "1" })).json.code).toBe("overloaded");
  expect((await upload("1")).status).toBe(201);
  for (const end of ends) end();
  for (const response of await Promise.all(slow)) expect(response.status).toBe(201);
});
