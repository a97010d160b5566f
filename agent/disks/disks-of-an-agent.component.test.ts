/** A complete agent whose state is on a small disk, which the test fills. */
import { execFileSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WorkloadPhase } from "@elastic/proto/gen/elastic/fleet/v1/workload.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { makeTestCa } from "../testing/certificates.ts";
import { eventually } from "../testing/eventually.ts";
import { assignmentOf, startOf } from "../testing/orders.ts";
import { resultText } from "../testing/outcomes.ts";
import { scriptCoordinator } from "../testing/scripted-coordinator.ts";
import { startTestAgent, testConfig } from "../testing/start-test-agent.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";

afterAll(removeTemporaryFolders);

const MIB = 2 ** 20;

/** A disk of 128 MiB, of which the agent itself takes some. */
function smallDisk(): string {
  const folder = temporaryFolder();
  execFileSync("mount", ["-t", "tmpfs", "-o", "size=128m", "tmpfs", folder]);
  onTestFinished(() => void execFileSync("umount", ["--lazy", folder]));
  return folder;
}

test("reports full disks, starts nothing new, and serves on", { timeout: 90_000 }, async () => {
  const disk = smallDisk();
  const ca = makeTestCa(join(temporaryFolder(), "ca"));
  const coordinator = await scriptCoordinator(ca.server());
  onTestFinished(() => coordinator.kill());
  const agent = await startTestAgent(
    testConfig(ca.node("n1"), [coordinator.address], {
      stateDir: join(disk, "state"),
      disks: { highPercent: 60, lowPercent: 30 },
    }),
  );
  onTestFinished(() => agent.stop());
  expect((await coordinator.linked()).inventory?.diskPressure).toBeUndefined();
  const pressureNow = () => coordinator.hellos.at(-1)?.inventory?.diskPressure;
  const before = assignmentOf("builtin:echo", { assignmentId: "before" });
  coordinator.assign([before]);
  await coordinator.workload("before", WorkloadPhase.WORKLOAD_PHASE_READY);

  writeFileSync(join(disk, "large"), Buffer.alloc(80 * MIB));
  const why = await eventually("a report of the pressure", pressureNow);
  expect(why).toMatch(/^the disk of .*\/state is \d\d % full, above 60 %, .*: no new work before it is at 30 %$/);

  coordinator.assign([before, assignmentOf("builtin:echo", { assignmentId: "meanwhile" })]);
  const { failure } = await coordinator.workload("meanwhile", WorkloadPhase.WORKLOAD_PHASE_FAILED);
  expect(failure).toMatchObject({ reason: "node_disk_full", message: why });
  const start = startOf("[1]", { assignmentId: "before" });
  coordinator.start([start]);
  expect(resultText(await coordinator.report(start.taskId))).toBe("[1]");

  rmSync(join(disk, "large"));
  await eventually("a report of its end", () => pressureNow() === undefined || undefined);
  coordinator.assign([before, assignmentOf("builtin:echo", { assignmentId: "after" })]);
  await coordinator.workload("after", WorkloadPhase.WORKLOAD_PHASE_READY);
});
