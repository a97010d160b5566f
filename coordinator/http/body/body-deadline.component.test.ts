import { type AddressInfo, connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendRaw } from "../testing/call.ts";
import { boundBodyTime } from "./body-deadline.ts";
import type { BodyPace } from "./body-pace.ts";

const LARGE = 10 * 1024 * 1024;

let app: FastifyInstance;
let url: string;
/** The paths of requests whose bodies hold nothing any more. */
let closed: string[];
let pace: BodyPace;

beforeEach(async () => {
  closed = [];
  pace = { firstByteWithinMs: 60_000, bytesPerSecond: 50_000, overMs: 100 };
  app = fastify({ bodyLimit: LARGE });
  app.addHook("onRequest", (request, _reply, done) => {
    boundBodyTime(request, pace);
    request.raw.once("close", () => closed.push(request.url));
    done();
  });
  for (const [path, bodyWithinMs] of [
    ["/short", 20],
    ["/long", 60_000],
  ] as const) {
    app.post(path, { config: { bodyWithinMs } }, async () => "taken");
  }
  await app.listen({ host: "127.0.0.1", port: 0 });
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`;
});
afterEach(() => app.close());

function head(path: string, length: number): string {
  return `POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n`;
}

test("rejects a body that does not come in time with 408 and ends the connection", async () => {
  const response = await sendRaw(url, `${head("/short", 10)}{"a"`);
  expect([response.status, response.json.code]).toEqual([408, "request_timeout"]);
});

test("responds to one that came in time as always, however long the response takes", async () => {
  expect((await sendRaw(url, `${head("/short", 7)}{"a":1}`)).text).toBe("taken");
  expect((await sendRaw(url, `${head("/long", 7)}{"a":1}`)).text).toBe("taken");
});

test("rejects a large body of which nothing comes with 408 long before its time, and holds nothing although the client stays", async () => {
  const socket = connectTo(url);
  let response = "";
  socket.on("data", (chunk) => {
    response += chunk;
  });
  socket.write(head("/long", LARGE));
  await expect.poll(() => response, { timeout: 10_000 }).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  await expect.poll(() => closed, { timeout: 10_000 }).toEqual(["/long"]);
  socket.destroy();
});

test("abandons one that does not begin before its pace is checked, and not one that began", async () => {
  pace = { firstByteWithinMs: 50, bytesPerSecond: 1, overMs: 60_000 };
  expect((await sendRaw(url, head("/long", LARGE))).json.code).toBe("request_timeout");
  const body = `"${"x".repeat(100_000)}"`;
  expect(await sentSlowly("/long", body, 20_000)).toMatch(/^HTTP\/1\.1 200 .*taken/s);
});

test("accepts one completely that comes slowly, but at its pace", async () => {
  const body = `"${"x".repeat(100_000)}"`;
  expect(await sentSlowly("/long", body, 10_000)).toMatch(/^HTTP\/1\.1 200 .*taken/s);
});

test("a small one may come as slowly as it likes within its time", async () => {
  expect(await sentSlowly("/long", '{"a":1}', 1)).toMatch(/^HTTP\/1\.1 200 .*taken/s);
});

function connectTo(address: string): Socket {
  const { hostname, port } = new URL(address);
  return connect({ host: hostname, port: Number(port), allowHalfOpen: true });
}

/** The first piece comes with the head, one more every 50 ms; returns the response. */
async function sentSlowly(path: string, body: string, pieceBytes: number): Promise<string> {
  const socket = connectTo(url);
  let at = pieceBytes;
  socket.write(head(path, body.length) + body.slice(0, at));
  const sender = setInterval(() => {
    socket.write(body.slice(at, at + pieceBytes));
    at += pieceBytes;
    if (at >= body.length) clearInterval(sender);
  }, 50);
  const response = await text(socket);
  socket.destroy();
  return response;
}
