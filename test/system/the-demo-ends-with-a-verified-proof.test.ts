import { existsSync } from "node:fs";
import { parseJsonLine } from "@elastic/deploy/local/json-line.ts";
import { expect, test } from "vitest";
import { whyNoEngineHere } from "../cluster/engine.ts";
import { makeWorkFolder } from "../cluster/work-folder.ts";
import { startDemo } from "./demo-process.ts";

const noEngine = await whyNoEngineHere();

async function runDemo(...options: readonly string[]): Promise<Readonly<Record<string, unknown>> | undefined> {
  using work = makeWorkFolder();
  const { child, folder } = await startDemo(work.path, "--json", ...options);
  const { code } = await child.exited;
  expect(code, child.tail()).toBe(0);
  expect(existsSync(folder)).toBe(false);
  return parseJsonLine(child.tail(1));
}

test("without a container engine the demo prover runs builtin", async () => {
  const outcome = await runDemo();
  expect(outcome).toMatchObject({ verified: true, task: { state: "SUCCESS" } });
  expect(outcome?.seconds).toEqual({
    setup: 0,
    ready: expect.any(Number),
    proof: expect.any(Number),
  });
});

test.skipIf(noEngine !== null)("runs the demo prover in a container on request", async () => {
  expect(await runDemo("--container")).toMatchObject({ workload: "container", verified: true });
});
