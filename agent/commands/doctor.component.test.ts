/** `elastic-agent doctor` on machines that lack something: each line says what to do. */
import { execFile } from "node:child_process";
import { generateKeyPairSync } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Check } from "@elastic/std/check.ts";
import { alternativeNames, certify } from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { checkCertificate } from "../doctor/certificate-check.ts";
import { checkClock } from "../doctor/clock-check.ts";
import { fakeDriver } from "../gpus/testing/fake-driver.ts";
import { agentEnv } from "../testing/agent-process.ts";
import { makeTestCa, type TestCa } from "../testing/certificates.ts";
import { scriptCoordinator } from "../testing/scripted-coordinator.ts";
import { removeTemporaryFolders, temporaryFolder } from "../testing/temporary-folder.ts";
import { doctor } from "./doctor.ts";

afterAll(removeTemporaryFolders);

const MAIN = fileURLToPath(new URL("../main.ts", import.meta.url));
const HOUR_MS = 3_600_000;

let ca: TestCa;
beforeAll(() => {
  ca = makeTestCa(join(temporaryFolder(), "ca"));
});

async function checksOf(env: Record<string, string>): Promise<readonly Check[]> {
  return (JSON.parse((await doctor(env, { json: true })).text) as { readonly checks: Check[] }).checks;
}

function named(checks: readonly Check[], name: string): Check | undefined {
  return checks.find((check) => check.name === name);
}

async function healthyEnv(): Promise<Record<string, string>> {
  const coordinator = await scriptCoordinator(ca.server());
  onTestFinished(() => coordinator.kill());
  return agentEnv(ca.node("n1"), coordinator.address, join(temporaryFolder(), "state"));
}

test("checks a machine before its enrollment, and says how to enroll it", async () => {
  const checks = await checksOf({ PATH: process.env.PATH ?? "", ELASTIC_STATE_DIR: join(temporaryFolder(), "state") });
  expect(named(checks, "enrollment")).toMatchObject({
    level: "fail",
    finding: "this machine is not enrolled",
    remedy: expect.stringContaining("elastic-coordinator token create"),
  });
  for (const name of ["limits", "disk", "ledger", "clock", "engine", "gpu"]) expect(named(checks, name)).toBeDefined();
});

test("the clock is compared with that of the coordinators", async () => {
  expect(named(await checksOf(await healthyEnv()), "clock")).toMatchObject({ level: "ok" });
  expect(checkClock(HOUR_MS, 0)).toMatchObject({
    level: "fail",
    finding: "this machine's clock is 60 min ahead of the coordinators'",
    remedy: expect.stringContaining("timedatectl"),
  });
  expect(checkClock(HOUR_MS, null)).toMatchObject({ level: "warn" });
});

test("says what to install on a GPU machine whose engine cannot give GPUs to containers", async () => {
  const { library } = fakeDriver({ gpus: [{ uuid: "GPU-1" }, { uuid: "GPU-2", lost: true }] });
  const checks = await checksOf({ ...(await healthyEnv()), ELASTIC_NVML_LIBRARY: library });
  const gpus = checks.filter(({ name }) => name === "gpu");
  expect(gpus).toMatchObject([{ level: "ok" }, { level: "fail", remedy: expect.stringContaining("nvidia-smi -r") }]);
});

test("a driver that is broken fails the machine, and says so for a program too, with its exit code", async () => {
  const { library } = fakeDriver({ gpus: [], fail: { call: "nvmlInit_v2", status: 18 } });
  const env = { ...(await healthyEnv()), ELASTIC_NVML_LIBRARY: library };
  const run = (of: Record<string, string>) =>
    new Promise<{ readonly code: number; readonly reported: { readonly healthy: boolean } }>((resolve) => {
      execFile(process.execPath, [MAIN, "doctor", "--json"], { env: of }, (error, stdout) =>
        resolve({ code: Number(error?.code ?? 0), reported: JSON.parse(stdout) }),
      );
    });
  expect(await run(env)).toMatchObject({ code: 1, reported: { healthy: false } });
  expect(await run({ ...env, ELASTIC_NVML_LIBRARY: "libelastic-none.so.1" })).toMatchObject({
    code: 0,
    reported: { healthy: true },
  });
});

test("no line that is not well leaves the operator without a remedy", async () => {
  const stateDir = join(temporaryFolder(), "file");
  writeFileSync(stateDir, "no folder");
  const env = { ...agentEnv(ca.node("n1"), "127.0.0.1:1", stateDir), PATH: "/nowhere", ELASTIC_ENGINE_SOCKET: "auto" };
  const checks = await checksOf(env);
  const ill = checks.filter(({ level }) => level !== "ok");
  for (const name of ["nsenter", "socat", "disk", "coordinator", "clock"]) expect(named(ill, name)).toBeDefined();
  expect(ill.filter(({ remedy }) => remedy === "")).toEqual([]);
});

test("reports a certificate that was not renewed in time, and says how to replace one that has expired", () => {
  const now = Date.now();
  const of = (leftMs: number, lifeMs: number) => {
    const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
    const extensions = [alternativeNames([{ kind: "uri", uri: "elastic://node/gpu-1" }])];
    const times = { validFrom: now + leftMs - lifeMs, validTo: now + leftMs };
    const der = certify({ name: "gpu-1", publicKey, ...times, extensions }, { name: "gpu-1", key: privateKey });
    const file = join(temporaryFolder(), "node.pem");
    writeFileSync(file, pem("CERTIFICATE", der) + String(privateKey.export({ type: "pkcs8", format: "pem" })));
    return checkCertificate({ caFile: file, certFile: file, keyFile: file }, true, new Date(now));
  };
  expect(of(20 * HOUR_MS, 24 * HOUR_MS)).toMatchObject({ level: "ok" });
  expect(of(4 * HOUR_MS, 24 * HOUR_MS)).toMatchObject({ level: "warn", remedy: expect.stringContaining("renewed") });
  expect(of(-HOUR_MS, 24 * HOUR_MS)).toMatchObject({
    level: "fail",
    remedy: expect.stringContaining("elastic-coordinator token create --node gpu-1"),
  });
  expect(of(26 * HOUR_MS, 24 * HOUR_MS)).toMatchObject({ level: "fail", remedy: "set this machine's clock" });
});
