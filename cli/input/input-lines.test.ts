import { Readable } from "node:stream";
import { BATCH_BYTES_MAX } from "elastic-client/tasks/create-batch.ts";
import { expect, test } from "vitest";
import { inBatches, readInputLines } from "./input-lines.ts";

test("a batch ends before it has more inputs or bytes than a request takes", () => {
  const line = (input: Buffer) => ({ input, number: 1 });
  const small = Array.from({ length: 2_001 }, () => line(Buffer.from("1")));
  expect([...inBatches(small)].map(({ length }) => length)).toEqual([1_000, 1_000, 1]);
  const half = Buffer.alloc(BATCH_BYTES_MAX / 2);
  const [one, two, ...others] = [...inBatches([half, half, Buffer.from("1")].map(line))];
  expect([one?.length, two?.length, others]).toEqual([2, 1, []]);
});

test("lines are inputs byte for byte but for the white space around them, and have their numbers", async () => {
  const inputs = await readInputLines("-", Readable.from([Buffer.from(' {"n": 1.0} \r\n\n"a"')]));
  expect(inputs.map(({ input, number }) => [number, String(input)])).toEqual([
    [1, '{"n": 1.0}'],
    [3, '"a"'],
  ]);
});
