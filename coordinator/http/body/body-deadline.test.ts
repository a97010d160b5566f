import type { AddressInfo } from "node:net";
import { type FastifyInstance, fastify } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { sendRaw } from "../testing/call.ts";
import { boundBodyTime } from "./body-deadline.ts";

let app: FastifyInstance;
let url: string;

beforeEach(async () => {
  app = fastify();
  app.addHook("onRequest", (request, _reply, done) => {
    boundBodyTime(request);
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
