import { expect, test } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { type LogTaker, proverLog } from "./prover-log.ts";

function taker(): LogTaker & { readonly got: string[] } {
  const got: string[] = [];
  return {
    got,
    onBytes: (chunk) => void got.push(chunk.toString()),
    onShared: () => void got.push("<shared>"),
    onOver: () => void got.push("<over>"),
  };
}

test("what comes before an attempt is nobody's, and what comes while it is under way is its own", async () => {
  const log = proverLog();
  log.write(Buffer.from("early"));
  const one = taker();
  const share = log.give(one);
  log.write(Buffer.from("mine"));
  share.release();
  expect(one.got).toEqual(["mine"]);
  await eventually("the end of its time", () => one.got.includes("<over>") || undefined);
  log.write(Buffer.from("late"));
  expect(one.got).toEqual(["mine", "<over>"]);
});

test("adds last lines that come after the response to the attempt, until the next one has begun", () => {
  const log = proverLog();
  const [one, two] = [taker(), taker()];
  log.give(one).release();
  log.write(Buffer.from("last lines"));
  log.give(two);
  log.write(Buffer.from("of the next"));
  expect(one.got).toEqual(["last lines", "<over>"]);
  expect(two.got).toEqual(["of the next"]);
});

test("gives each overlapping attempt everything, and says that it is not the attempt's alone", () => {
  const log = proverLog();
  const [one, two] = [taker(), taker()];
  const first = log.give(one);
  log.write(Buffer.from("a"));
  log.give(two);
  log.write(Buffer.from("b"));
  first.release();
  first.release();
  log.write(Buffer.from("c"));
  expect(one.got).toEqual(["a", "<shared>", "b", "c"]);
  expect(two.got).toEqual(["<shared>", "b", "c"]);
});

test("the end of the prover ends the log of every attempt in it, and of one that comes too late", () => {
  const log = proverLog();
  const [over, under, late] = [taker(), taker(), taker()];
  log.give(over).release();
  const share = log.give(under);
  log.end();
  share.release();
  log.give(late);
  expect([over.got, under.got, late.got]).toEqual([["<over>"], ["<over>"], ["<over>"]]);
});
