/** An agent that is killed in the middle of a build: the next one builds, and nothing of the first is left. */
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { archiveOf } from "./testing/archive.ts";
import { type BuildFixture, startBuildFixture } from "./testing/build-fixture.ts";
import { leftoversOf, namesOnDisk } from "./testing/leftovers.ts";

// Each starts a process, and builds twice.
vi.setConfig({ testTimeout: 60_000 });

let builder: BuildFixture;

beforeAll(async () => {
  builder = await startBuildFixture();
});
afterAll(async () => {
  await builder.close();
  removeTemporaryFolders();
});

const LONG_STEP = "echo the-step-runs && sleep 1000";

function dockerfile(command: string): string {
  return `FROM busybox:1\nRUN ${command}\nRUN echo run > /prover\nENTRYPOINT ["/prover"]\n`;
}

/** What stays behind of each, until the next start; at the others nothing but the mounted disk. */
const STAGES = [
  ["fetching", ["mount"]],
  ["unpacking", ["mount"]],
  ["building", ["bundle", "container", "control group", "mount", "process", "socket"]],
  ["checking", ["mount"]],
  ["pushing", ["mount"]],
] as const;

test.each(STAGES)("builds after a kill while %s, and leaves nothing of the killed build", async (at, kinds) => {
  const archive = await archiveOf([["Dockerfile", dockerfile(at === "building" ? LONG_STEP : "true")]]);
  const killed = builder.specOf(archive);
  const path = join(temporaryFolder(), "source.tar");
  writeFileSync(path, archive.bytes);
  const program = join(import.meta.dirname, "testing", "build-and-die.ts");
  const { folder, socketDir } = builder;
  const doom = { place: { folder, socketDir }, spec: killed, archive: path, at };
  const { signal, stderr } = spawnSync(process.execPath, [program, JSON.stringify(doom)], { encoding: "utf8" });
  expect([signal, stderr]).toEqual(["SIGKILL", ""]);
  const left = leftoversOf(builder, [killed.assignmentId]);
  for (const kind of kinds) expect(left).toContainEqual(expect.stringMatching(`^${kind} `));

  await builder.reopen();
  // Of another assignment: the coordinator has abandoned the killed one meanwhile.
  const next = builder.specOf(await archiveOf([["Dockerfile", dockerfile("true")]]));
  const { failure } = await builder.build(await archiveOf([["Dockerfile", dockerfile("true")]]), next);
  expect(failure).toBeNull();
  await expect.poll(() => leftoversOf(builder, [killed.assignmentId, next.assignmentId])).toEqual([]);
  await expect.poll(() => namesOnDisk(builder, builder.teamId)).toEqual(["buildkit", "lost+found"]);
});
