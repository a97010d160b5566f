/** Requests whose body comes after their key was revoked. */
import { createHash } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionCookie } from "./testing/browser.ts";
import { call } from "./testing/call.ts";
import { addKey, type HttpFixture, startHttpFixture } from "./testing/http-fixture.ts";

let api: HttpFixture;

beforeAll(async () => {
  api = await startHttpFixture();
});
afterAll(() => api.close());

interface HeldRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends the head. Calling what it returns sends the body once the head was accepted, and returns the response. */
async function sendHead({ method, path, headers, body }: HeldRequest): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(api.url);
  const socket = connect(Number(port), hostname);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    connection: "close",
    expect: "100-continue",
    "content-length": String(body.length),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}`);
  socket.write(`${[`${method} /v1${path} HTTP/1.1`, ...lines].join("\r\n")}\r\n\r\n`);
  let response = "";
  socket.on("data", (bytes) => {
    response += bytes.toString();
  });
  await once(socket, "data");
  expect(response).toBe("HTTP/1.1 100 Continue\r\n\r\n");
  response = "";
  return async () => {
    socket.write(body);
    await once(socket, "close");
    return response;
  };
}

async function newKey(): Promise<{ readonly key: string; revoke(): Promise<void> }> {
  const { userId, teamId } = api.own;
  const key = await addKey(api.store, { userId, defaultTeamId: teamId });
  const revoke = async () => {
    const revoked = await call(`${api.url}/v1/keys/${key.split("_")[1]}`, { key: api.own.key, method: "DELETE" });
    expect(revoked.status).toBe(204);
  };
  return { key, revoke };
}

const JSON_BODY = { "content-type": "application/json" };

test.each([
  ["/keys", { name: "successor", scopes: ["admin"], expires_in_seconds: null }],
  ["/services", { service_name: "late" }],
  ["/teams/TEAM/invitations", { role: "owner" }],
  ["/operators/users", { name: "late", team_id: "TEAM" }],
])("rejects a body at %s whose key was revoked after the head", async (path, body) => {
  const { key, revoke } = await newKey();
  const ofTeam = (text: string) => text.replace("TEAM", api.own.teamId);
  const sendBody = await sendHead({
    method: "POST",
    path: ofTeam(path),
    headers: { ...JSON_BODY, "x-api-key": key },
    body: ofTeam(JSON.stringify(body)),
  });
  await revoke();
  expect(await sendBody()).toMatch(/^HTTP\/1.1 401 [\s\S]*"key_invalid"/);
});

test("rejects a volume's file whose key was revoked after the head", async () => {
  const { key, revoke } = await newKey();
  const body = "a file";
  const path = `/volumes/files/${createHash("sha256").update(body).digest("hex")}`;
  const headers = { "content-type": "application/octet-stream", "x-api-key": key };
  const sendBody = await sendHead({ method: "PUT", path, headers, body });
  await revoke();
  expect(await sendBody()).toMatch(/^HTTP\/1.1 401 /);
});

test("creates no key for a user who was locked out after the head", async () => {
  const cookie = await sessionCookie(api, api.other, Date.now());
  const sendBody = await sendHead({
    method: "POST",
    path: "/keys",
    headers: { ...JSON_BODY, cookie, origin: api.url, "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ name: "successor", scopes: ["keys"], expires_in_seconds: null }),
  });
  const path = `/v1/operators/users/${api.other.userId}/lock-out`;
  expect((await call(api.url + path, { key: api.own.key, method: "POST" })).status).toBe(204);
  expect(await sendBody()).toMatch(/^HTTP\/1.1 401 [\s\S]*"session_invalid"/);
});
