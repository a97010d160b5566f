import { expect, test } from "vitest";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { startDemoWith } from "./demo-process.ts";

const START_TIMEOUT_MS = 150_000;
/** On a machine that does other things too. */
const MEASURED_TIMEOUT_MS = 300_000;

test("measures the node of a persistent demo by the library that set-up built, after its first proof", {
  timeout: START_TIMEOUT_MS + MEASURED_TIMEOUT_MS,
}, async () => {
  using work = makeWorkFolder();
  const demo = await startDemoWith({}, work.path, "--keep");
  const line = (pattern: RegExp, timeoutMs: number) =>
    demo.child.line((text) => pattern.exec(text)?.[1] ?? undefined, timeoutMs);
  await line(/(Three commands)/, START_TIMEOUT_MS);
  expect(Number(await line(/^The node was measured\. Score ([\d.]+): /, MEASURED_TIMEOUT_MS))).toBeGreaterThan(0);
  const stop = await startDemoWith({}, work.path, "--stop");
  expect((await stop.child.exited).code).toBe(0);
  expect((await demo.child.exited).code).toBe(0);
});
