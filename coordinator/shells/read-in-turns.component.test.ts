import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { UNTAKEN_BYTES_MAX } from "./limits.ts";
import { readInTurns } from "./read-in-turns.ts";

const PIECE = 64 * 1024;
const PIECES = 40;
const open: { destroy(): void }[] = [];
afterEach(() => {
  for (const one of open.splice(0)) one.destroy();
});

/** Both ends of a connection; the first is read in turns, and `take` receives what comes. */
async function connected(take: (bytes: Buffer) => void): Promise<readonly [Socket, Socket]> {
  const server = createServer();
  open.push({ destroy: () => server.close() });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const far = connect((server.address() as AddressInfo).port, "127.0.0.1");
  const [near] = (await once(server, "connection")) as [Socket];
  near.on("data", take);
  readInTurns(near);
  open.push(near, far);
  return [near, far];
}

/** As a client does whose packets are costly. */
function work(): void {
  for (const until = performance.now() + 25; performance.now() < until; );
}

test("after packets that took long, all others have their turn", async () => {
  let turns = 0;
  let bytes = 0;
  const seen: number[] = [];
  const [, far] = await connected((piece) => {
    seen.push(turns);
    bytes += piece.length;
    work();
  });
  const count = () => {
    turns += 1;
    if (bytes < PIECE * PIECES) setImmediate(count);
  };
  far.write(Buffer.alloc(PIECE * PIECES));
  setImmediate(count);
  await expect.poll(() => bytes, { timeout: 20_000 }).toBe(PIECE * PIECES);
  const together = seen.filter((turn, index) => turn === seen[index - 1]);
  expect(together).toEqual([]);
});

test("what a client sends waits while it leaves unread what it was sent", async () => {
  const waiting: number[] = [];
  const [near, far] = await connected(() => waiting.push(near.writableLength));
  far.pause();
  near.write(Buffer.alloc(64 * UNTAKEN_BYTES_MAX));
  far.write("first");
  await expect.poll(() => waiting.length).toBe(1);
  far.write("second");
  far.resume();
  await expect.poll(() => waiting.length, { timeout: 20_000 }).toBe(2);
  expect(waiting[0]).toBeGreaterThan(UNTAKEN_BYTES_MAX);
  expect(waiting[1]).toBe(0);
});
