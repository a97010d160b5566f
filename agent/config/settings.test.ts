import { expect, test } from "vitest";
import { loadMachineConfig } from "./config.ts";
import { SETTINGS, settingsHelp } from "./settings.ts";

test("names the defaults that the configuration has", () => {
  const config = loadMachineConfig({});
  const { host, port } = config.metricsListen;
  expect(SETTINGS).toMatchObject({
    ELASTIC_STATE_DIR: { default: config.stateDir },
    ELASTIC_VOLUME_CACHE_BYTES: { default: String(config.volumeCacheBytes) },
    ELASTIC_BUILDS: { default: `${config.builds.max}, none` },
    ELASTIC_BUILD_DISK_BYTES: { default: `${config.builds.diskBytes / 1024 ** 3} GiB` },
    ELASTIC_BUILD_CACHE_BYTES: { default: `${config.builds.cacheBytes / 1024 ** 3} GiB` },
    ELASTIC_BUILD_CPU_WEIGHT: { default: config.builds.cpuWeight },
    ELASTIC_KUBERNETES_GPU_RESOURCE: {
      default: loadMachineConfig({ ELASTIC_WORKLOADS: "kubernetes" }).cluster?.gpuResource,
    },
    ELASTIC_METRICS_LISTEN: { default: `${host}:${port}` },
    ELASTIC_NVML_LIBRARY: { default: config.nvmlLibrary },
    ELASTIC_LOG_LEVEL: { default: config.logLevel },
  });
});

test("lists every setting within the width of a terminal", () => {
  const lines = settingsHelp().split("\n");
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(120);
  for (const env of Object.keys(SETTINGS)) expect(lines.some((line) => line.startsWith(`  ${env} `))).toBe(true);
});
