/** Checks of the GPUs: the driver, each of them, and what puts them into containers. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Check, fail, ok, warn } from "@elastic/std/check.ts";
import type { EngineSetting } from "../domain/engine-setting.ts";
import type { DriverAnswer } from "../gpus/driver-process.ts";
import { findEngine } from "../workloads/docker/engine.ts";
import { isOnPath } from "./machine-checks.ts";

/** The folders of descriptions of devices for containers (CDI). */
const CDI_FOLDERS = ["/etc/cdi", "/var/run/cdi"];
const CDI_KIND = /nvidia\.com\/gpu/;
/** Docker can give out a GPU once it finds this next to itself. */
const HOOK = "nvidia-container-runtime-hook";

export async function checkGpus(answer: DriverAnswer, setting: EngineSetting, path: string): Promise<readonly Check[]> {
  const engine = await findEngine(setting);
  const checks = driverChecks(answer);
  if (answer.kind !== "read" || answer.reading.gpus.length === 0 || engine === null) return checks;
  const uuids = answer.reading.gpus.map(({ uuid }) => uuid);
  return [...checks, engine.name === "podman" ? checkCdi(CDI_FOLDERS, uuids) : checkToolkit(path)];
}

export function driverChecks(answer: DriverAnswer): readonly Check[] {
  if (answer.kind === "no-driver") {
    return [ok("gpu", "none (no NVIDIA driver; where there is a GPU, install the driver and its libnvidia-ml.so.1)")];
  }
  if (answer.kind === "broken")
    return [fail("gpu", answer.why, "run nvidia-smi; reload the driver or restart the machine")];
  const { gpus, unread } = answer.reading;
  const names = gpus.map(({ model, migProfile }) => `${model} ${migProfile}`.trim());
  const version = gpus[0]?.driverVersion;
  const found = names.length === 0 ? "none" : `${names.join(", ")}; driver ${version}`;
  const lost = unread.map(({ uuid, why }) =>
    fail("gpu", `${uuid ?? "a GPU"} cannot be read: ${why}`, "reset it (nvidia-smi -r) or restart the machine"),
  );
  return [ok("gpu", found), ...lost];
}

function checkToolkit(path: string): Check {
  if (isOnPath(HOOK, path)) return ok("gpu toolkit", `${HOOK} found`);
  const remedy = "install the package nvidia-container-toolkit and restart Docker: it gives GPUs to containers";
  return warn("gpu toolkit", `${HOOK} not found`, remedy);
}

export function checkCdi(folders: readonly string[], uuids: readonly string[]): Check {
  const found = folders.flatMap(filesOf).filter((file) => CDI_KIND.test(read(file)));
  const remedy = "run nvidia-ctk cdi generate --device-name-strategy=uuid --output=/etc/cdi/nvidia.yaml";
  if (found.length > 0) {
    const text = found.map(read).join("\n");
    const missing = uuids.filter((uuid) => !text.includes(uuid));
    if (missing.length === 0) return ok("gpu cdi", `${found.join(", ")} describes the GPUs`);
    return warn("gpu cdi", `${found.join(", ")} does not describe ${missing.join(", ")} by UUID`, remedy);
  }
  return warn("gpu cdi", `no description of GPUs in ${folders.join(" or ")}`, remedy);
}

function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
