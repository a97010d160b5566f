import { type AddressInfo, connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendRaw } from "../testing/call.ts";
import { boundBodyTime } from "./body-deadline.ts";

const LARGE = 10 * 1024 * 1024;

let app: FastifyInstance;
let url: string;
/** The paths of requests whose bodies hold nothing any more. */
let closed: string[];

beforeEach(async () => {
  closed = [];
  app = fastify({ bodyLimit: LARGE });
  app.addHook("onRequest", (request, _reply, done) => {
    boundBodyTime(request, { bytesPerSecond: 100_000, overMs: 100 });
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

test("a body that does not come in time is answered 408 and the connection ends", async () => {
  const answer = await sendRaw(url, `${head("/short", 10)}{"a"`);
  expect([answer.status, answer.json.code]).toEqual([408, "request_timeout"]);
});

test("one that came in time is answered as ever, however long the answer takes", async () => {
  expect((await sendRaw(url, `${head("/short", 7)}{"a":1}`)).text).toBe("taken");
  expect((await sendRaw(url, `${head("/long", 7)}{"a":1}`)).text).toBe("taken");
});

test("a large body of which nothing comes is answered 408 long before its time, and holds nothing though the client stays", async () => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.write(head("/long", LARGE));
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*"code":"request_timeout"/s);
  await expect.poll(() => closed, { timeout: 10_000 }).toEqual(["/long"]);
  socket.destroy();
});

test("one that comes slowly, but at its pace, is taken whole", async () => {
  const body = `"${"x".repeat(100_000)}"`;
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(head("/long", body.length));
  const piece = 20_000;
  for (let at = 0; at < body.length; at += piece) {
    socket.write(body.slice(at, at + piece));
    await setTimeout(100);
  }
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/^HTTP\/1\.1 200 .*taken/s);
});

test("a small one may come as slowly as it likes within its time", async () => {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.write(`${head("/long", 7)}{"a"`);
  await setTimeout(500);
  socket.write(":1}");
  let answer = "";
  for await (const chunk of socket) answer += chunk;
  expect(answer).toMatch(/taken$/);
});
