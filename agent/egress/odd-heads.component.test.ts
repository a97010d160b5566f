/** What either side of the way out may say, over real sockets: none of it is the agent's end. */
import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { parseRange } from "@elastic/std/net/ip-address.ts";
import { afterAll, beforeAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type AllowProxy, startAllowProxy } from "./allow-proxy.ts";

const socketPath = join(temporaryFolder(), "out.sock");
/** Responds to whatever comes with what the test gives it, and closes. */
const far = createServer((socket) => {
  socket.on("error", () => undefined);
  socket.once("data", () => socket.end(answer));
});
let answer = "";
let proxy: AllowProxy;
let url = "";
const uncaught: unknown[] = [];
const onUncaught = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  process.on("uncaughtException", onUncaught);
  far.listen(0, "127.0.0.1");
  await once(far, "listening");
  const { port } = far.address() as AddressInfo;
  url = `http://127.0.0.1:${port}/`;
  const loopback = parseRange("127.0.0.0/8");
  proxy = await startAllowProxy({
    socketPath,
    rules: [{ host: "127.0.0.1", below: false, port }],
    allowRanges: loopback === null ? [] : [loopback],
    log: createLog({ name: "test", level: "silent" }),
  });
});
afterAll(async () => {
  await proxy.stop();
  far.close();
  process.off("uncaughtException", onUncaught);
  removeTemporaryFolders();
});

/** The first line of what comes back for a request with these heads, while the far side responds so. */
async function firstLine(heads: string, body: string, head: string): Promise<string> {
  answer = head;
  const socket = connect(socketPath);
  socket.write(`POST ${url} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${heads}\r\n${body}`);
  const parts: Buffer[] = [];
  for await (const part of socket as AsyncIterable<Buffer>) parts.push(part);
  return String(Buffer.concat(parts)).split("\r\n", 1)[0] ?? "";
}

const WELL = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
const GOOD = "HTTP/1.1 200 OK";
const BROKEN = "HTTP/1.1 502 Bad Gateway";

test("requests that announce trailers are passed on without them", async () => {
  expect(await firstLine("Trailer: x\r\n", "", WELL)).toBe(GOOD);
  expect(await firstLine("Trailer: x\r\nContent-Length: 2\r\n", "ab", WELL)).toBe(GOOD);
  expect(await firstLine("Trailer: x\r\nTransfer-Encoding: chunked\r\n", "2\r\nab\r\n0\r\nX: y\r\n\r\n", WELL)).toBe(
    GOOD,
  );
  expect(uncaught).toEqual([]);
});

test("reports responses that cannot be passed on as broken, and ends nothing", async () => {
  const cases: readonly (readonly [string, string])[] = [
    ["HTTP/1.1 200 OK\r\nTrailer: X\r\nContent-Length: 0\r\n\r\n", GOOD],
    ["HTTP/1.1 000 X\r\nContent-Length: 0\r\n\r\n", BROKEN],
    ["HTTP/1.1 099 X\r\nContent-Length: 5\r\n\r\nab", BROKEN],
    ["HTTP/1.1 1000 X\r\nContent-Length: 0\r\n\r\n", BROKEN],
    ["HTTP/1.1 103 X\r\n\r\n", BROKEN],
    ["HTTP/1.1 200 OK\r\nX: a\x01b\r\n\r\n", BROKEN],
    ["no HTTP", BROKEN],
    ["", BROKEN],
  ];
  for (const [head, line] of cases) {
    expect([head, await firstLine("Content-Length: 0\r\n", "", head)]).toEqual([head, line]);
  }
  expect(uncaught).toEqual([]);
});
