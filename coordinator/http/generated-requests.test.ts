/** Every operation of the document, asked as it should be and as nobody should; test/long asks for longer. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./testing/call.ts";
import { expectEffects } from "./testing/effects.ts";
import { type GeneratedRun, startGeneratedRun } from "./testing/generated-run.ts";
import { goodRequest } from "./testing/good-requests.ts";
import { fill } from "./testing/tenant-things.ts";

const SEED = 20_261_122;
/** Of each operation. */
const RUNS = 12;
/** On a busy machine. */
const SLOW = { timeout: 120_000 };

let run: GeneratedRun;

beforeAll(async () => {
  run = await startGeneratedRun();
});
afterAll(() => run[Symbol.asyncDispose]());

test(
  "every operation succeeds when it is asked well; what it created is read, what it deleted is gone",
  SLOW,
  async () => {
    for (const described of run.operations) {
      const { url, key, own: things } = await run.sender();
      const path = fill(described, things);
      const answer = await call(url + path, { key, ...goodRequest(described, things) });
      expect([described.operation.operationId, answer.status < 300, answer.text]).toEqual([
        described.operation.operationId,
        true,
        answer.text,
      ]);
      await expectEffects({ url, key, described, path, things, answer });
    }
  },
);

test(
  "whatever is sent is answered as the document says, refused in the one form, and never a failure",
  SLOW,
  async () => {
    for (const [index, described] of run.operations.entries()) {
      await run.check(described, { seed: SEED + index, numRuns: RUNS });
    }
  },
);
