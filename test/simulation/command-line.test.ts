import { expect, test } from "vitest";
import { orderOf, replayLine } from "./command-line.ts";
import { BUGS } from "./fleet-under-test.ts";

/** As a shell splits what is pasted, after `npm run simulate --`. */
function pasted(line: string): readonly string[] {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  expect(words.slice(0, 4)).toEqual(["npm", "run", "simulate", "--"]);
  return words.slice(4);
}

test.each([null, ...BUGS])("the line that replays a seed runs it for as long, with the bug %s", (bug) => {
  for (const seed of [1, 1305, 2 ** 31 - 1]) {
    expect(orderOf(pasted(replayLine(seed, { seconds: 120, bug })))).toMatchObject({
      kind: "run",
      seeds: { first: seed, count: 1 },
      seconds: 120,
      bug,
    });
  }
});

test.each([
  ["--sed 4", "there is no option --sed: there are --seeds, --from, --seed, "],
  ["--seed abc", "--seed is abc, which is not a whole number from 1 to 2147483647"],
  ["--seed=-3", "--seed is -3, which is not a whole number from 1 to 2147483647"],
  ["--seed 2147483648", "--seed is 2147483648, which is not a whole number from 1 to 2147483647"],
  ["--from 2147483640 --seeds 100", "--from 2147483640 leaves 8 seeds, not 100: the last is 2147483647"],
  ["1305", '"1305" belongs to no option: one seed is --seed 1305'],
  ["--seeds", "Option '--seeds <value>' argument missing"],
  ["--bug nope", 'there is no bug "nope": there is "the fence is ignored"'],
  ["--seed 5 --from 3", "--seed is one seed; --seeds and --from are several"],
])("refuses %s in a sentence", (line, why) => {
  const order = orderOf(line.split(" "));
  expect([order.kind, order.kind === "wrong" && order.why]).toEqual(["wrong", expect.stringContaining(why)]);
});
