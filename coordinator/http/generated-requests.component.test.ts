/** Valid and invalid requests to every operation of the document; test/long sends more of them. */
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { isWebSocket } from "./testing/api-document.ts";
import { call } from "./testing/call.ts";
import { expectEffects } from "./testing/effects.ts";
import { type GeneratedRun, startGeneratedRun } from "./testing/generated-run.ts";
import { goodRequest } from "./testing/good-requests.ts";
import { fill } from "./testing/tenant-things.ts";

// On a busy machine.
vi.setConfig({ testTimeout: 120_000 });

const SEED = 20_261_122;
/** Of each operation. */
const RUNS = 12;

let run: GeneratedRun;

beforeAll(async () => {
  run = await startGeneratedRun();
});
afterAll(() => run[Symbol.asyncDispose]());

test("every operation succeeds with a valid request; what it created is read, what it deleted is gone", async () => {
  let sender = await run.sender();
  for (const described of run.operations) {
    const { url, key, own: things } = sender;
    const path = fill(described, things);
    const response = await call(url + path, { key, ...goodRequest(described, things) });
    const { operationId } = described.operation;
    const isGood = isWebSocket(described) ? response.status === 426 : response.status < 400;
    expect([operationId, isGood, response.text]).toEqual([operationId, true, response.text]);
    await expectEffects({ url, key, described, path, things, response });
    // Others stand on what was deleted.
    if (described.method === "DELETE") sender = await run.sender();
  }
});

test("every request gets a response that the document describes, or a problem, and never a failure", async () => {
  for (const [index, described] of run.operations.entries()) {
    await run.check(described, { seed: SEED + index, numRuns: RUNS });
  }
});
