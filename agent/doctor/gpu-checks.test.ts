import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { aReading } from "../gpus/testing/readings.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { checkCdi, driverChecks } from "./gpu-checks.ts";

afterAll(removeTemporaryFolders);

test("a machine without a driver is well, one whose driver does not work is not", () => {
  expect(driverChecks({ kind: "no-driver" })).toMatchObject([{ level: "ok" }]);
  const why = "nvmlInit_v2 returned 18";
  expect(driverChecks({ kind: "broken", why })).toMatchObject([{ level: "fail", finding: why }]);
});

test("lists the GPUs with their driver, and next to them those that cannot be reached", () => {
  const gpus = [aReading("GPU-1"), aReading("MIG-1", { migProfile: "1g.18gb" })];
  const unread = [{ uuid: "GPU-2", why: "GPU is lost" }];
  expect(driverChecks({ kind: "read", reading: { gpus, unread, events: [] } })).toMatchObject([
    { level: "ok", finding: "NVIDIA H200, NVIDIA H200 1g.18gb; driver 570.1" },
    { level: "fail", finding: "GPU-2 cannot be read: GPU is lost" },
  ]);
});

test("Podman needs a description of the GPUs", () => {
  const folder = temporaryFolder();
  expect(checkCdi([folder, "/nowhere"], ["GPU-1"])).toMatchObject({
    level: "warn",
    remedy: expect.stringContaining("nvidia-ctk"),
  });
  writeFileSync(join(folder, "nvidia.yaml"), "cdiVersion: 0.5.0\nkind: nvidia.com/gpu\n");
  const byIndex = { level: "warn", finding: expect.stringContaining("does not describe GPU-1 by UUID") };
  expect(checkCdi([folder], ["GPU-1"])).toMatchObject(byIndex);
  writeFileSync(join(folder, "nvidia.yaml"), "cdiVersion: 0.5.0\nkind: nvidia.com/gpu\ndevices:\n- name: GPU-1\n");
  expect(checkCdi([folder], ["GPU-1"])).toMatchObject({ level: "ok" });
});
