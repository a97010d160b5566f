import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { expect, test } from "vitest";
import { type FaultProxy, startFaultProxy } from "../cluster/fault-proxy.ts";
import {
  type BadLine,
  lineOfSingleBytes,
  lineThatBreaksAfter,
  lineThatLosesResponsesTo,
  lineThatRefuses,
  slowLine,
} from "./bad-lines.ts";

interface Line extends AsyncDisposable {
  readonly socket: Socket;
  readonly received: string[];
  readonly proxy: FaultProxy;
}

/** A connection over the bad line to a server that echoes. */
async function over(line: BadLine): Promise<Line> {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", (data) => {
      received.push(String(data));
      socket.write(data);
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  const proxy = await startFaultProxy(() => `127.0.0.1:${address.port}`);
  proxy.treat(line.treatment);
  const socket = connect(Number(proxy.address.split(":")[1]), "127.0.0.1");
  socket.on("error", () => {});
  await once(socket, "connect");
  return {
    socket,
    received,
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      server.close();
    },
  };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

async function echoOf(socket: Socket, text: string): Promise<string> {
  let echoed = "";
  socket.on("data", (data) => {
    echoed += String(data);
  });
  socket.write(text);
  await expect.poll(() => echoed.length, { interval: 5 }).toBe(text.length);
  return echoed;
}

test("passes every byte, in order and apart", async () => {
  const line = lineOfSingleBytes();
  await using there = await over(line);
  expect(await echoOf(there.socket, "hello")).toBe("hello");
  expect(line.count()).toBe(10);
});

test("delays chunks, and none overtakes another", async () => {
  const delays = [60, 0, 0];
  const line = slowLine(() => delays.shift() ?? 0);
  await using there = await over(line);
  const startedAtMs = performance.now();
  there.socket.write("first ");
  there.socket.write("second");
  await expect.poll(() => there.received.join(""), { interval: 5 }).toBe("first second");
  expect(performance.now() - startedAtMs).toBeGreaterThan(50);
});

test("breaks a connection in the middle of a chunk", async () => {
  const line = lineThatBreaksAfter(4);
  await using there = await over(line);
  there.socket.write("hello!");
  await closed(there.socket);
  await expect.poll(() => there.received.join("")).toMatch(/^(hel)?$/);
  expect(line.count()).toBe(1);
});

test("delivers a request and loses the response to it, as often as it says", async () => {
  const line = lineThatLosesResponsesTo("claim", 1);
  await using there = await over(line);
  expect(await echoOf(there.socket, "read")).toBe("read");
  there.socket.write("claim");
  await closed(there.socket);
  expect(there.received.join("")).toBe("readclaim");
  expect(there.proxy.bytesDropped()).toBe(5);
  expect(line.count()).toBe(1);
});

test("resets a connection before a request arrives", async () => {
  const line = lineThatRefuses("PUT");
  await using there = await over(line);
  expect(await echoOf(there.socket, "GET")).toBe("GET");
  there.socket.write("PUT");
  await closed(there.socket);
  expect(there.received.join("")).toBe("GET");
  expect(line.count()).toBe(1);
});
