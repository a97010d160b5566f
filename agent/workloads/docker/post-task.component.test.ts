/** What a prover's server may respond with, over real sockets: whatever it is, it is that task's alone. */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import { Pool } from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Prover, ProverCall } from "../../domain/driver.ts";
import { noVerdict } from "../../verify/verdict.ts";
import { verifyResult } from "../../verify/verify-result.ts";
import { postTask } from "./post-task.ts";

const ends: (() => unknown)[] = [];
const uncaught: unknown[] = [];
const onUncaught = (error: unknown): void => void uncaught.push(error);

beforeEach(() => {
  uncaught.length = 0;
  process.on("uncaughtException", onUncaught);
});
afterEach(async () => {
  await closeAll();
  process.off("uncaughtException", onUncaught);
});

/** What of the responses is still to be dropped is dropped by then, and whatever that throws was thrown. */
async function closeAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
  for (let turns = 0; turns < 10; turns++) await turn();
}

/** A prover that says these bytes to every request, and then nothing more or goodbye. */
async function proverSaying(answer: string, afterwards: "waits" | "hangs up"): Promise<Pool> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("data", () => {
      socket.write(answer);
      if (afterwards === "hangs up") socket.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { pipelining: 0 });
  ends.push(
    () => server.close(),
    () => {
      for (const socket of sockets) socket.destroy();
    },
    () => pool.destroy(),
  );
  return pool;
}

function callWith(output: ProverCall["output"]): ProverCall {
  const input = { bytes: 1, inline: Buffer.from("1"), open: async function* () {} };
  const ids = { taskId: "task", serviceId: "service" };
  const nothing = () => undefined;
  return { ...ids, input, output, signal: AbortSignal.timeout(10_000), onCalled: nothing, onProgress: nothing };
}

const IGNORES = { write: () => undefined };
const STATUSES = [201, 202, 203, 204, 206, 299, 300, 301, 302, 304, 399];
const BODIES = {
  "no body": "content-length: 0\r\n\r\n",
  "a body": "content-length: 2\r\n\r\nok",
  "a chunked body": "transfer-encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n",
  "a body cut short": "content-length: 20\r\n\r\nok",
  "a body without a length": "\r\nok",
};

describe.each(Object.entries(BODIES))("with %s", (_, rest) => {
  test.each(["waits", "hangs up"] as const)(
    "any status but 200 is a bad response, of one that then %s",
    async (then) => {
      const outcomes = STATUSES.map(async (status) => {
        const prover = await proverSaying(`HTTP/1.1 ${status} Odd\r\n${rest}`, then);
        return await postTask(prover, callWith(IGNORES));
      });
      expect(await Promise.all(outcomes)).toEqual(STATUSES.map(notA200));
      await closeAll();
      expect(uncaught).toEqual([]);
    },
  );

  test.each(["waits", "hangs up"] as const)("of a verifier that then %s it is no verdict", async (then) => {
    const verdicts = STATUSES.map(async (status) => {
      const pool = await proverSaying(`HTTP/1.1 ${status} Odd\r\n${rest}`, then);
      const prove = async (call: ProverCall) => ({ ...(await postTask(pool, call)), logTail: "" });
      const result = { kind: "inline", text: Buffer.from("1"), isString: false } as const;
      return await verifyResult({ prove } as unknown as Prover, { ...callWith(IGNORES), result });
    });
    expect(await Promise.all(verdicts)).toEqual(STATUSES.map((status) => noVerdict(notA200(status).message)));
    await closeAll();
    expect(uncaught).toEqual([]);
  });
});

function notA200(status: number) {
  return { kind: "garbled", message: `the prover returned ${status} instead of 200` };
}

test.each([400, 404, 422, 499, 500, 599])(
  "passes the words of a prover that rejects the task with %s",
  async (status) => {
    const answerTo = async (body: string) => {
      const prover = await proverSaying(
        `HTTP/1.1 ${status} Odd\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
        "waits",
      );
      return await postTask(prover, callWith(IGNORES));
    };
    const refused = (message: string) => ({ kind: "refused", message });
    expect(await answerTo('{"title":"Bad","detail":"n is missing"}')).toEqual(refused("n is missing"));
    expect(await answerTo('{"title":"Bad"}')).toEqual(refused("Bad"));
    expect(await answerTo("no document")).toEqual(refused("no document"));
    expect(await answerTo("")).toEqual(refused(`the prover returned ${status}`));
  },
);

test.each([
  ["no HTTP at all", "hello\r\n\r\n"],
  ["headers without end", `HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(1 << 20)}\r\n\r\n`],
])("a response that is %s is a bad response, and no broken connection", async (_, answer) => {
  const said = await postTask(await proverSaying(answer, "waits"), callWith(IGNORES));
  expect(said).toMatchObject({ kind: "garbled", message: expect.stringContaining("is not HTTP") });
});

test("reports an input that cannot be read as the machine's failure, as it was", async () => {
  const unreadable = new Error("the disk is gone");
  const open = async function* (): AsyncGenerator<Buffer> {
    yield Buffer.from("1");
    throw unreadable;
  };
  const call = { ...callWith(IGNORES), input: { bytes: 2, inline: null, open } };
  expect(await postTask(await proverSaying("", "waits"), call)).toEqual({ kind: "broken", error: unreadable });
});

test("a result that finds no room is the machine's failure, and the rest of the response is dropped", async () => {
  const prover = await proverSaying("HTTP/1.1 200 OK\r\ncontent-length: 20\r\n\r\nok", "waits");
  const full = new Error("no room");
  const write = (): never => {
    throw full;
  };
  expect(await postTask(prover, callWith({ write }))).toEqual({ kind: "broken", error: full });
  await closeAll();
  expect(uncaught).toEqual([]);
});

const LONG = "0123456789".repeat(100_000);
const FRAMES = {
  "with its length": `content-length: ${LONG.length}\r\nconnection: close\r\n\r\n${LONG}`,
  "in chunks": `transfer-encoding: chunked\r\nconnection: close\r\n\r\n${LONG.length.toString(16)}\r\n${LONG}\r\n0\r\n\r\n`,
  "to the end of the connection": `\r\n${LONG}`,
};

test.each(Object.entries(FRAMES))("a long response %s is read to its end by a slow reader", async (_, rest) => {
  const prover = await proverSaying(`HTTP/1.1 200 OK\r\n${rest}`, "hangs up");
  const read: Buffer[] = [];
  const write = async (chunk: Uint8Array): Promise<void> => {
    read.push(Buffer.from(chunk));
    // Meanwhile the prover has said everything and is gone.
    for (let turns = 0; turns < 20; turns++) await turn();
  };
  expect(await postTask(prover, callWith({ write }))).toEqual({ kind: "responded" });
  expect(Buffer.concat(read).toString() === LONG).toBe(true);
  expect(uncaught).toEqual([]);
});

test.each([
  ["its length", `content-length: ${LONG.length + 1}\r\nconnection: close\r\n\r\n${LONG}`],
  [
    "its last chunk",
    `transfer-encoding: chunked\r\nconnection: close\r\n\r\n${LONG.length.toString(16)}\r\n${LONG}\r\n`,
  ],
])("a long response that ends before %s is none, however slow its reader", async (_, rest) => {
  const prover = await proverSaying(`HTTP/1.1 200 OK\r\n${rest}`, "hangs up");
  const write = async (): Promise<void> => {
    for (let turns = 0; turns < 20; turns++) await turn();
  };
  expect((await postTask(prover, callWith({ write }))).kind).not.toBe("responded");
  expect(uncaught).toEqual([]);
});

test("sends the trace of the task with it, and no header where it has none", async () => {
  const seen: (string | undefined)[] = [];
  const server = createHttpServer((request, response) => {
    seen.push(request.headers.traceparent as string | undefined);
    response.end("1");
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const pool = new Pool(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  ends.push(
    () => server.close(),
    () => pool.destroy(),
  );
  const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  const call = callWith({ write: () => undefined });
  expect(await postTask(pool, { ...call, traceparent })).toEqual({ kind: "responded" });
  expect(await postTask(pool, call)).toEqual({ kind: "responded" });
  expect(seen).toEqual([traceparent, undefined]);
});
