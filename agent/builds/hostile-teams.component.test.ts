/** Two teams build on one machine: nothing of one is visible to the other, and nothing of one delays or ends the other. */
import { newId } from "@elastic/std/ids.ts";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type BuildFixture, type Built, startBuildFixture } from "./testing/build-fixture.ts";

vi.setConfig({ testTimeout: 60_000 });

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture();
});
afterAll(() => builder.close());

const MIB = 1024 ** 2;
const one = newId(Date.now());
const other = newId(Date.now());
const limits = { timeoutMs: 60_000, memoryBytes: 256 * MIB, pids: 128, imageBytes: 64 * MIB, logBytes: MIB };

async function step(teamId: string, command: string): Promise<Built> {
  const file = `FROM busybox:1\nRUN ${command}\nENTRYPOINT ["/bin/sh"]\n`;
  const repository = `${builder.registry}/${teamId}/prover`;
  return await builder.build([["Dockerfile", file]], { teamId, repository, limits });
}

test("keeps a cache mount and layers of one team from another team that names them alike", async () => {
  const write = "--mount=type=cache,id=shared,target=/cache echo secret > /cache/of-one && ls /cache";
  const read = "--mount=type=cache,id=shared,target=/cache ls -a /cache && ! ls /cache/of-one";
  expect((await step(one, write)).failure).toBeNull();
  // The same team finds it again: what follows is no accident.
  expect((await step(one, "--mount=type=cache,id=shared,target=/cache ls /cache/of-one")).failure).toBeNull();
  expect((await step(other, read)).failure).toBeNull();
  // The step runs for the other team too, where a shared cache would have it already.
  const again = await step(other, write);
  expect(again.log).toMatch(/^#\d+ [\d.]+ of-one$/m);
});

const HOSTILE = [
  ["bomb() { bomb | bomb & }; bomb; for i in $(seq 300); do sleep 9 & done; wait; false", "build_failed"],
  ["yes", "log_limit"],
  ["head -c 400m /dev/zero | grep x", "out_of_memory"],
] as const;

test("finishes a build next to builds of other teams that fork, write and fill memory without end", async () => {
  const endless = HOSTILE.map(([command]) => step(newId(Date.now()), command));
  expect((await step(other, "echo run > /prover")).failure).toBeNull();
  const reasons = (await Promise.all(endless)).map(({ failure }) => failure?.reason);
  expect(reasons).toEqual(HOSTILE.map(([, reason]) => reason));
});
