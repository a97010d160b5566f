/** A complete agent in this process, against scripted coordinators. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { systemClock } from "@elastic/std/clock.ts";
import { createLog } from "@elastic/std/log.ts";
import type { AgentConfig } from "../config/config.ts";
import type { BuildSettings } from "../domain/build-settings.ts";
import type { TlsFiles } from "../domain/tls-files.ts";
import { NVML_LIBRARY } from "../gpus/driver-process.ts";
import { type Agent, startAgent } from "../start/start-agent.ts";
import { temporaryFolder } from "./temporary-folder.ts";

/** Built by set-up: on the acceleration library where that is built too, as the demo takes it. */
const ACCELERATED_FFI_LIBRARY = fileURLToPath(new URL("../../target/accelerated/libelastic_ffi.so", import.meta.url));
export const FFI_LIBRARY = existsSync(ACCELERATED_FFI_LIBRARY)
  ? ACCELERATED_FFI_LIBRARY
  : fileURLToPath(new URL("../../target/release/libelastic_ffi.so", import.meta.url));

/** BuildKit, built by `deploy/setup.sh builder`. */
export const BUILDKIT_FOLDER = fileURLToPath(new URL("../../.cache/bin", import.meta.url));
/** Built by `deploy/setup.sh accel`. */
export const ACCEL_LIBRARY = fileURLToPath(new URL("../../target/accel/libzkaccel.so", import.meta.url));

const GIB = 1024 ** 3;
const NO_BUILDS: BuildSettings = {
  max: 0,
  egress: [],
  egressRanges: [],
  mirror: null,
  diskBytes: 2 * GIB,
  cacheBytes: 8 * GIB,
  cpuWeight: "idle",
  path: BUILDKIT_FOLDER,
};

export function testConfig(
  tls: TlsFiles,
  coordinators: readonly string[],
  more: Partial<AgentConfig> = {},
): AgentConfig {
  return {
    coordinators,
    tls,
    isEnrolled: false,
    stateDir: join(temporaryFolder(), "state"),
    engine: { kind: "none" },
    cluster: null,
    ffiLibrary: FFI_LIBRARY,
    accelLibrary: null,
    nvmlLibrary: NVML_LIBRARY,
    srsFile: null,
    slots: 4,
    labels: {},
    metricsListen: { host: "127.0.0.1", port: 0 },
    otlpEndpoint: null,
    volumeCacheBytes: 1024 * 1024 * 1024,
    // However full the disk of the machine is.
    disks: { highPercent: 100, lowPercent: 90 },
    shellEgressRanges: [],
    builds: NO_BUILDS,
    testProvers: true,
    executionLedger: null,
    upgradeCommand: null,
    logLevel: process.env.TEST_LOG_LEVEL ?? "silent",
    ...more,
  };
}

export function startTestAgent(config: AgentConfig): Promise<Agent> {
  return startAgent(config, systemClock, createLog({ name: "agent", level: config.logLevel }));
}
