import { expect, test } from "vitest";
import { findAccelLibrary } from "../accel-library/find-accel-library.ts";
import { ConfigError, loadConfig } from "./config.ts";

const ENV = {
  ELASTIC_COORDINATORS: "a.example:8443, 10.0.0.1:8443",
  ELASTIC_TLS_CA: "ca.pem",
  ELASTIC_TLS_CERT: "node.pem",
  ELASTIC_TLS_KEY: "node.key",
};

test("settings are read, and what is not set has its default", () => {
  expect(
    loadConfig({ ...ENV, ELASTIC_LABELS: "zone=b,rack=7", ELASTIC_SLOTS: "3", ELASTIC_ENGINE_SOCKET: "" }),
  ).toEqual({
    coordinators: ["a.example:8443", "10.0.0.1:8443"],
    tls: { caFile: "ca.pem", certFile: "node.pem", keyFile: "node.key" },
    isEnrolled: false,
    stateDir: "/var/lib/elastic-agent",
    engine: { kind: "auto" },
    cluster: null,
    ffiLibrary: null,
    accelLibrary: findAccelLibrary(),
    nvmlLibrary: "libnvidia-ml.so.1",
    srsFile: null,
    slots: 3,
    labels: { zone: "b", rack: "7" },
    otlpEndpoint: null,
    metricsListen: { host: "127.0.0.1", port: 9465 },
    volumeCacheBytes: 128 * 2 ** 30,
    disks: { highPercent: 90, lowPercent: 80 },
    shellEgressRanges: [],
    builds: {
      max: 0,
      egress: [
        { host: "index.crates.io", below: false, port: 443 },
        { host: "static.crates.io", below: false, port: 443 },
      ],
      egressRanges: [],
      mirror: null,
      diskBytes: 32 * 2 ** 30,
      cacheBytes: 128 * 2 ** 30,
      cpuWeight: "idle",
      path: "",
    },
    upgradeCommand: null,
    testProvers: false,
    executionLedger: null,
    logLevel: "info",
  });
});

test("an engine's socket may be given with or without its scheme", () => {
  expect(loadConfig({ ...ENV, ELASTIC_ENGINE_SOCKET: "unix:///run/x.sock" }).engine).toEqual({
    kind: "socket",
    path: "/run/x.sock",
  });
});

test("reads the cluster whose namespace is the node, with a default for what is not set", () => {
  const cluster = loadConfig({
    ...ENV,
    ELASTIC_WORKLOADS: "kubernetes",
    ELASTIC_KUBERNETES_NAMESPACE: "provers",
    ELASTIC_KUBERNETES_NODE_SELECTOR: "pool=gpu",
  }).cluster;
  expect(cluster).toEqual({
    configFile: null,
    namespace: "provers",
    gpuResource: "nvidia.com/gpu",
    gpus: null,
    nodeSelector: { pool: "gpu" },
    pullSecret: null,
    runtimeClass: null,
  });
  expect(() => loadConfig({ ...ENV, ELASTIC_WORKLOADS: "nomad" })).toThrow("ELASTIC_WORKLOADS");
});

test("takes the acceleration library that is configured, finds it where it usually is, or does without", () => {
  const libraryOf = (setting: string) => loadConfig({ ...ENV, ELASTIC_ACCEL_LIBRARY: setting }).accelLibrary;
  expect(libraryOf("/opt/libzkaccel.so")).toBe("/opt/libzkaccel.so");
  expect(libraryOf("")).toBe(findAccelLibrary());
  expect(libraryOf("none")).toBeNull();
});

test("all that is wrong is said at once, each with its variable", () => {
  const wrong = {
    ...ENV,
    ELASTIC_COORDINATORS: "nowhere",
    ELASTIC_SLOTS: "0",
    ELASTIC_LABELS: "x",
  };
  expect(() => loadConfig(wrong)).toThrow(ConfigError);
  for (const name of ["ELASTIC_COORDINATORS", "ELASTIC_SLOTS", "ELASTIC_LABELS"]) {
    expect(() => loadConfig(wrong)).toThrow(name);
  }
});

test("a label is a key and a value, each once and not too many", () => {
  const many = Array.from({ length: 33 }, (_, index) => `k${index}=v`).join(",");
  for (const [text, why] of [
    ["zone=a,zone=b", /"zone" is there twice/],
    ["zone", /"zone" is not key=value/],
    ["a b=c", /is not key=value/],
    [many, /more than 32 labels/],
  ] as const) {
    expect(() => loadConfig({ ...ENV, ELASTIC_LABELS: text })).toThrow(why);
  }
  expect(loadConfig({ ...ENV, ELASTIC_LABELS: " disk= , zone=eu/1" }).labels).toEqual({ disk: "", zone: "eu/1" });
});

test("says how to enroll a machine without certificates, and which settings are missing", () => {
  expect(() => loadConfig({ ELASTIC_STATE_DIR: "/nowhere" })).toThrow(/is not enrolled: run the line/);
  const { ELASTIC_TLS_KEY: _, ...some } = ENV;
  expect(() => loadConfig(some)).toThrow(/ELASTIC_TLS_KEY not set/);
});

test("explains a number that is invalid", () => {
  expect(() => loadConfig({ ...ENV, ELASTIC_SLOTS: "many" })).toThrow("ELASTIC_SLOTS: must be a whole number");
});

test("takes watermarks of disks only in their order", () => {
  expect(loadConfig({ ...ENV, ELASTIC_DISK_HIGH_PERCENT: "100" }).disks).toEqual({ highPercent: 100, lowPercent: 80 });
  for (const high of ["80", "70"]) {
    expect(() => loadConfig({ ...ENV, ELASTIC_DISK_HIGH_PERCENT: high })).toThrow(
      "ELASTIC_DISK_LOW_PERCENT: must be below ELASTIC_DISK_HIGH_PERCENT",
    );
  }
});

test("gives builds a weight only within what the kernel takes", () => {
  expect(loadConfig({ ...ENV, ELASTIC_BUILD_CPU_WEIGHT: "25" }).builds.cpuWeight).toBe(25);
  for (const wrong of ["0", "10001", "1.5", "low"]) {
    expect(() => loadConfig({ ...ENV, ELASTIC_BUILD_CPU_WEIGHT: wrong })).toThrow(
      "ELASTIC_BUILD_CPU_WEIGHT: must be idle or a whole number from 1 to 10000",
    );
  }
});
