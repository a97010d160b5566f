import { expect, test } from "vitest";
import { readTaskRequest } from "./read-task-request.ts";

/** What a parser and a writer of JSON would change. The last takes the way of bodies that are read in slices. */
const INPUTS = [
  '{"n":12345678901234567890,"a":1,"a":2,"x":1e400}',
  '{"2":1,"1":2,"spaces" :  [ 1 ,2 ] }',
  '[-0,1.0,1E2,0.1000,"\\u0041\\/\\ud834\\udd1e"]',
  '"é\u{1f600}"',
  "null",
  `[${"1.0 ,".repeat(60_000)}1.0]`,
];

test("cuts the input out of the body byte for byte, whatever it holds", async () => {
  for (const input of INPUTS) {
    for (const body of [`{"input":${input}}`, `{ "priority" : 3, "input" :\n ${input} , "more":[] }`]) {
      const { source } = await readTaskRequest(Buffer.from(body));
      expect(source).toEqual({ kind: "inline", bytes: Buffer.from(input) });
    }
  }
});
