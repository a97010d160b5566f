/** Over real sockets: what is refused reaches no listener. */
import { once } from "node:events";
import { createServer as createHttpServer, request } from "node:http";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { createLog } from "@elastic/std/log.ts";
import { parseIp, parseRange } from "@elastic/std/net/ip-address.ts";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { type AllowProxy, type AllowProxyOptions, startAllowProxy } from "./allow-proxy.ts";

const LOOPBACK = parseRange("127.0.0.0/8");
/** Echoes what it receives; knows how often it was called. */
const echo = createServer({ allowHalfOpen: true }, (socket) => {
  calls += 1;
  socket.pipe(socket);
});
/** Returns the request that it received. */
const web = createHttpServer((requested, answer) => {
  calls += 1;
  const parts: Buffer[] = [];
  requested.on("data", (part: Buffer) => parts.push(part));
  requested.on("end", () => {
    const { method, url, headers } = requested;
    answer.setHeader("x-far", "yes").end(JSON.stringify({ method, url, headers, body: String(Buffer.concat(parts)) }));
  });
});
let calls = 0;
let proxy: AllowProxy | null = null;
let socketPath = "";

beforeAll(async () => {
  for (const server of [echo, web]) {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
  }
});
afterEach(async () => {
  await proxy?.stop();
  proxy = null;
  calls = 0;
});
afterAll(() => {
  echo.close();
  web.close();
  removeTemporaryFolders();
});

const portOf = (server: typeof echo) => (server.address() as AddressInfo).port;

async function start(hosts: readonly string[], more: Partial<AllowProxyOptions> = {}): Promise<void> {
  const ports = [portOf(echo), portOf(web)];
  socketPath = join(temporaryFolder(), "out.sock");
  proxy = await startAllowProxy({
    socketPath,
    rules: hosts.flatMap((text) =>
      ports.map((port) => ({ host: text.replace(/^\*\.?/, ""), below: text.startsWith("*"), port })),
    ),
    allowRanges: LOOPBACK === null ? [] : [LOOPBACK],
    log: createLog({ name: "test", level: "silent" }),
    ...more,
  });
}

/** The status of the response, and the connection from then on. */
async function connectTo(authority: string): Promise<{ readonly status: number; readonly socket: Socket }> {
  const socket = connect({ path: socketPath, allowHalfOpen: true });
  socket.on("error", () => undefined);
  socket.write(`CONNECT ${authority} HTTP/1.1\r\nhost: ${authority}\r\n\r\n`);
  const [head] = (await once(socket, "data")) as [Buffer];
  return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(head.toString())?.[1]), socket };
}

/** Only its status: the connection is dropped. */
async function statusOf(authority: string): Promise<number> {
  const { status, socket } = await connectTo(authority);
  socket.destroy();
  return status;
}

test("what is on the list is connected, and either side may end first", async () => {
  await start(["127.0.0.1"]);
  const { status, socket } = await connectTo(`127.0.0.1:${portOf(echo)}`);
  expect(status).toBe(200);
  socket.end("hello");
  const parts: Buffer[] = [];
  for await (const part of socket as AsyncIterable<Buffer>) parts.push(part);
  expect(String(Buffer.concat(parts))).toBe("hello");
});

test("what is not on the list is refused before anything is looked up", async () => {
  const requested: string[] = [];
  const lookUp = async (name: string) => [requested.push(name), "127.0.0.1"].map(String).slice(1);
  await start(["good.example", "*.below.example"], { lookUp });
  const port = portOf(echo);
  for (const host of ["bad.example", "below.example", "evilbelow.example", "127.0.0.1", "[::1]", "sub.good.example"]) {
    expect([host, await statusOf(`${host}:${port}`)]).toEqual([host, 403]);
  }
  expect(await statusOf(`good.example:${port === 1 ? 2 : 1}`)).toBe(403);
  expect(requested).toEqual([]);
  for (const host of ["good.example", "GOOD.example.", "a.below.example", "a.b.below.example"]) {
    expect([host, await statusOf(`${host}:${port}`)]).toEqual([host, 200]);
  }
});

test("a name decides by where it leads: one address that is not public is one too many", async () => {
  const port = portOf(echo);
  const leadsTo = async (...addresses: readonly string[]) => {
    await start(["*"], { allowRanges: [], lookUp: async () => addresses });
    const status = await statusOf(`name.example:${port}`);
    await proxy?.stop();
    return status;
  };
  for (const address of ["127.0.0.1", "169.254.169.254", "10.0.0.1", "::1", "::ffff:127.0.0.1", "fd00::1", "odd"]) {
    expect([address, await leadsTo(address)]).toEqual([address, 403]);
  }
  expect(await leadsTo("192.88.100.1", "127.0.0.1")).toBe(403);
  expect(await leadsTo()).toBe(502);
  // Whatever has a name is no address.
  await start(["*"]);
  expect(await statusOf(`127.0.0.1:${port}`)).toBe(403);
  expect(calls).toBe(0);
});

test("this machine's own address is not public, whatever it is elsewhere", async () => {
  const address = "192.88.100.1";
  const own = () => [parseIp(address)].filter((bytes) => bytes !== null);
  await start([address, "*"], { allowRanges: [], own, lookUp: async () => [address] });
  const port = portOf(echo);
  expect([await statusOf(`name.example:${port}`), await statusOf(`${address}:${port}`)]).toEqual([403, 403]);
});

test("a name is looked up once for each connection, so that no second resolution counts", async () => {
  let lookUps = 0;
  await start(["name.example"], { lookUp: async () => (lookUps++ === 0 ? ["127.0.0.1"] : ["10.0.0.1"]) });
  expect([await statusOf(`name.example:${portOf(echo)}`), lookUps]).toEqual([200, 1]);
  expect([await statusOf(`name.example:${portOf(echo)}`), lookUps]).toEqual([403, 2]);
});

test("requests in clear are passed on one by one, each by its own URL", async () => {
  await start(["127.0.0.1"]);
  const send = async (url: string, headers: Record<string, string> = {}) => {
    const requested = request({ socketPath, path: url, method: "POST", headers });
    requested.end("body");
    const [answer] = await once(requested, "response");
    const parts: Buffer[] = [];
    for await (const part of answer as AsyncIterable<Buffer>) parts.push(part);
    return { status: answer.statusCode as number, far: answer.headers["x-far"], text: String(Buffer.concat(parts)) };
  };
  const host = `127.0.0.1:${portOf(web)}`;
  const passed = await send(`http://${host}/a?b=1`, { host: "elsewhere", "proxy-authorization": "x", accept: "y" });
  expect(passed).toMatchObject({ status: 200, far: "yes" });
  const seen = JSON.parse(passed.text) as { readonly headers: Record<string, string> };
  expect(seen).toMatchObject({ method: "POST", url: "/a?b=1", body: "body" });
  expect(seen.headers).toMatchObject({ host, accept: "y" });
  expect(seen.headers).not.toHaveProperty("proxy-authorization");
  expect(await send("http://192.0.2.1/")).toMatchObject({
    status: 403,
    text: "192.0.2.1:80 is not on this shell's list\n",
  });
  expect((await send("/path")).status).toBe(400);
  expect(await statusOf("no-port")).toBe(400);
  expect(await statusOf("127.0.0.1:1")).toBe(403);
});

test("connections end with the shell", async () => {
  await start(["127.0.0.1"]);
  const { socket } = await connectTo(`127.0.0.1:${portOf(echo)}`);
  const closed = once(socket, "close");
  socket.resume();
  socket.end();
  await proxy?.stop();
  proxy = null;
  await closed;
});
