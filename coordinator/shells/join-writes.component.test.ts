import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { Duplex } from "node:stream";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { joinWrites } from "./join-writes.ts";

const ROOM_BYTES = 16;

interface Joined {
  readonly socket: Socket;
  /** What went out at once, in order. */
  readonly sent: readonly string[];
  /** Ends the going out of the oldest that is on its way. */
  taken(error?: Error): void;
}

/** A socket whose system accepts bytes on demand. */
function joined(): Joined {
  const sent: string[] = [];
  const onTheirWay: ((error?: Error) => void)[] = [];
  const socket = new Duplex({
    writableHighWaterMark: ROOM_BYTES,
    read() {},
    writev(chunks, done) {
      sent.push(Buffer.concat(chunks.map(({ chunk }) => chunk)).toString());
      onTheirWay.push(done);
    },
  }) as Socket;
  joinWrites(socket);
  return { socket, sent, taken: (error) => onTheirWay.shift()?.(error) };
}

const turns = fc.array(fc.array(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 100_000 })), { maxLength: 5 }), {
  maxLength: 8,
});

test("whatever is written, in whatever turns, arrives over a real socket in order and byte for byte", async () => {
  await using server = createServer((socket) => {
    joinWrites(socket);
    socket.pipe(socket);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address() as { readonly port: number };
  await fc.assert(
    fc.asyncProperty(turns, async (given) => {
      const socket = connect(address.port, "127.0.0.1");
      joinWrites(socket);
      const echoed = buffer(socket);
      for (const turn of given) {
        for (const piece of turn) socket.write(piece);
        await setImmediate();
      }
      socket.end();
      expect(await echoed).toEqual(Buffer.concat(given.flat().map((piece) => Buffer.from(piece))));
    }),
    { numRuns: 40 },
  );
});

test("sends what is written in one turn as one when the turn ends, and the next turn's separately", async () => {
  const { socket, sent, taken } = joined();
  for (const piece of ["length", "bytes", "digest"]) socket.write(piece);
  expect(sent).toEqual([]);
  await setImmediate();
  expect(sent).toEqual(["lengthbytesdigest"]);
  taken();
  for (const piece of ["the ", "next"]) socket.write(piece);
  await setImmediate();
  expect(sent).toEqual(["lengthbytesdigest", "the next"]);
});

test("notifies a writer when there is no room, and when there is again", async () => {
  const { socket, taken } = joined();
  const ends: string[] = [];
  expect(socket.write("a".repeat(ROOM_BYTES - 1), () => ends.push("first"))).toBe(true);
  expect(socket.write("b", "latin1", () => ends.push("second"))).toBe(false);
  await setImmediate();
  expect([socket.writableNeedDrain, ends]).toEqual([true, []]);
  const drained = once(socket, "drain");
  taken();
  await drained;
  expect([socket.writableNeedDrain, ends]).toEqual([false, ["first", "second"]]);
});

test("reports an error to every writer whose bytes it concerns, and to the socket", async () => {
  const { socket, taken } = joined();
  const met: (string | undefined)[] = [];
  for (const piece of ["one", "two"]) socket.write(piece, (error) => met.push(error?.message));
  const failed = once(socket, "error");
  await setImmediate();
  taken(new Error("reset"));
  expect((await failed)[0]).toMatchObject({ message: "reset" });
  expect(met).toEqual(["reset", "reset"]);
});

test("ends after what was written in the same turn, and reports the end", async () => {
  const { socket, sent, taken } = joined();
  const finished = once(socket, "finish");
  socket.write("first ");
  socket.write("second ");
  socket.end("last");
  await setImmediate();
  taken();
  await finished;
  expect(sent).toEqual(["first second last"]);
});

test("a socket that is destroyed amid a turn takes nothing more, and nothing is thrown", async () => {
  const { socket, sent } = joined();
  const outcome = new Promise((resolve) => socket.write("lost", resolve));
  socket.destroy();
  expect(await outcome).toMatchObject({ code: "ERR_STREAM_DESTROYED" });
  await setImmediate();
  expect(sent).toEqual([]);
});
