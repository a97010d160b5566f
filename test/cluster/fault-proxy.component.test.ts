import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { type FaultProxy, type Passage, startFaultProxy } from "./fault-proxy.ts";

/** A server that counts the bytes that it receives and echoes them, and a proxy in front of it. */
async function behindProxy(): Promise<{ proxy: FaultProxy; received: () => number } & AsyncDisposable> {
  let received = 0;
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => {
      received += data.length;
      socket.write(data);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const proxy = await startFaultProxy(`127.0.0.1:${address.port}`);
  return {
    proxy,
    received: () => received,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      server.close();
    },
  };
}

async function open(proxy: FaultProxy): Promise<Socket> {
  const socket = connect(Number(proxy.address.split(":")[1]), "127.0.0.1");
  await once(socket, "connect");
  // The proxy resets what is open at the end of a test.
  socket.on("error", () => {});
  return socket;
}

async function echo(socket: Socket, text: string): Promise<string> {
  const response = once(socket, "data");
  socket.write(text);
  return String((await response)[0]);
}

test("without a fault, bytes pass both ways", async () => {
  await using there = await behindProxy();
  const socket = await open(there.proxy);
  expect(await echo(socket, "hello")).toBe("hello");
});

test("delivers requests and drops responses in the mode drop-responses", async () => {
  await using there = await behindProxy();
  const socket = await open(there.proxy);
  there.proxy.set("drop-responses");
  socket.write("hello");
  await expect.poll(() => there.proxy.bytesDropped()).toBe(5);
  expect(there.received()).toBe(5);
  expect(socket.bytesRead).toBe(0);
  there.proxy.set("pass");
  expect(await echo(socket, "again")).toBe("again");
});

test("delivers nothing of requests in the mode drop-requests", async () => {
  await using there = await behindProxy();
  const socket = await open(there.proxy);
  there.proxy.set("drop-requests");
  socket.write("hello");
  await expect.poll(() => there.proxy.bytesDropped()).toBe(5);
  expect(there.received()).toBe(0);
  there.proxy.set("pass");
  expect(await echo(socket, "again")).toBe("again");
});

test("hands each chunk to the treatment, with its direction and its connection", async () => {
  await using there = await behindProxy();
  const socket = await open(there.proxy);
  const seen: Passage[] = [];
  there.proxy.treat((chunk, passage) => {
    seen.push(passage);
    passage.pass(Buffer.from(String(chunk).toUpperCase()));
  });
  expect(await echo(socket, "hello")).toBe("HELLO");
  expect(seen.map(({ direction }) => direction)).toEqual(["request", "response"]);
  expect(seen[0]?.connection).toBe(seen[1]?.connection);
  there.proxy.treat(null);
  expect(await echo(socket, "hello")).toBe("hello");
});

test("what was sent into a stall arrives after it", async () => {
  await using there = await behindProxy();
  const socket = await open(there.proxy);
  expect(await echo(socket, "before")).toBe("before");
  there.proxy.set("stall");
  const response = once(socket, "data");
  socket.write("held");
  await expect.poll(() => socket.writableLength).toBe(0);
  expect(there.received()).toBe("before".length);
  there.proxy.set("pass");
  expect(String((await response)[0])).toBe("held");
});

test("resets open and new connections on a cut", async () => {
  await using there = await behindProxy();
  const socket = await open(there.proxy);
  const broken = once(socket, "error");
  there.proxy.set("cut");
  expect((await broken)[0]).toMatchObject({ code: "ECONNRESET" });
  const next = connect(Number(there.proxy.address.split(":")[1]), "127.0.0.1");
  expect((await once(next, "error"))[0]).toMatchObject({ code: "ECONNRESET" });
});

test("proxies to the loopback address alone", async () => {
  await expect(startFaultProxy("192.0.2.1:80")).rejects.toThrow(/loopback/);
});
