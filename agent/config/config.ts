/** The agent's settings. The environment is read here and nowhere else; every default has its reason. */
import { type EgressRule, parseEgressRule } from "@elastic/std/net/egress-rule.ts";
import { type IpRange, parseRange } from "@elastic/std/net/ip-address.ts";
import { z } from "zod";
import { findAccelLibrary } from "../accel-library/find-accel-library.ts";
import type { Watermarks } from "../disks/watermarks.ts";
import { type BuildSettings, CPU_WEIGHT_MAX, CPU_WEIGHT_MIN, type CpuWeight } from "../domain/build-settings.ts";
import type { ClusterSetting } from "../domain/cluster-setting.ts";
import type { EngineSetting } from "../domain/engine-setting.ts";
import type { TlsFiles } from "../domain/tls-files.ts";
import { readIdentity } from "../enrollment/identity-files.ts";
import { NVML_LIBRARY } from "../gpus/driver-process.ts";
import { isHostAndPort } from "./host-and-port.ts";

interface ListenAddress {
  readonly host: string;
  readonly port: number;
}

export interface AgentConfig {
  readonly coordinators: readonly string[];
  readonly tls: TlsFiles;
  /** Whether the certificate is of this machine's enrollment, which the agent renews itself. */
  readonly isEnrolled: boolean;
  readonly stateDir: string;
  readonly engine: EngineSetting;
  /** The cluster whose namespace is this node, in the place of the engine; null for a machine. */
  readonly cluster: ClusterSetting | null;
  /** Null: no builtin provers. */
  readonly ffiLibrary: string | null;
  /** The acceleration library; null: the node has no score. */
  readonly accelLibrary: string | null;
  /** The driver's management library: a file, or a name that the loader finds. */
  readonly nvmlLibrary: string;
  /** A powers-of-tau file for builtin provers; null for their development parameters. */
  readonly srsFile: string | null;
  /** Slots of a node without GPUs; null for one per core. */
  readonly slots: number | null;
  readonly labels: Readonly<Record<string, string>>;
  readonly metricsListen: ListenAddress;
  /** Where traces go; null for none. */
  readonly otlpEndpoint: string | null;
  /** What the node keeps of data volumes at most. */
  readonly volumeCacheBytes: number;
  /** Between which its disks are kept. */
  readonly disks: Watermarks;
  /** Addresses that are not public, and that shells may reach whose list names them. */
  readonly shellEgressRanges: readonly IpRange[];
  readonly builds: BuildSettings;
  /** The shell command that upgrades this agent where systemd does not run it; null for none. */
  readonly upgradeCommand: string | null;
  readonly testProvers: boolean;
  /** File of the ledger of executions; null for none. */
  readonly executionLedger: string | null;
  readonly logLevel: string;
}

/** What `status` needs: it must work when the rest is not set up. */
export type StateConfig = Pick<AgentConfig, "stateDir">;

export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** Where a distribution's services keep their state. */
export const DEFAULT_STATE_DIR = "/var/lib/elastic-agent";
/** Metrics name no tenant, but they concern nobody else: loopback by default. */
export const DEFAULT_METRICS_LISTEN = "127.0.0.1:9465";
const SLOTS_MAX = 1024;
/** As coordinators take them. */
const LABELS_MAX = 32;
/** Two volumes of the largest size. */
export const DEFAULT_VOLUME_CACHE_BYTES = 128 * 1024 * 1024 * 1024;

/** As kubelet's threshold of a node's disk: what is left is for results, logs and what else the machine does. */
export const DEFAULT_DISK_HIGH_PERCENT = 90;
export const DEFAULT_DISK_LOW_PERCENT = 80;

const DEFAULT_BUILD_EGRESS = "index.crates.io,static.crates.io";
const DEFAULT_BUILD_DISK_BYTES = 32 * 1024 ** 3;
const DEFAULT_BUILD_CACHE_BYTES = 128 * 1024 ** 3;
/** Below it a Rust prover does not build. */
const BUILD_DISK_BYTES_MIN = 1024 ** 3;
const BUILDS_MAX = 16;
export const DEFAULT_GPU_RESOURCE = "nvidia.com/gpu";

const address = z.string().refine(isHostAndPort, { error: ({ input }) => `"${input}" is not host:port` });
const WHOLE_NUMBER = "must be a whole number";
const file = z.string().min(1);
const collector = z.url({ protocol: /^https?$/, error: "must be a URL" });
const percent = z.coerce.number(WHOLE_NUMBER).int().min(1).max(100);
const clusterName = z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/, "must be a name as Kubernetes has them");
const flag = z.enum(["0", "1"]).default("0");

const variables = z.object({
  ELASTIC_COORDINATORS: z
    .string()
    .transform((text) => text.split(",").map((part) => part.trim()))
    .pipe(z.array(address).min(1).max(16))
    .optional(),
  ELASTIC_TLS_CA: file.optional(),
  ELASTIC_TLS_CERT: file.optional(),
  ELASTIC_TLS_KEY: file.optional(),
  ELASTIC_STATE_DIR: file.default(DEFAULT_STATE_DIR),
  ELASTIC_ENGINE_SOCKET: z.string().default("auto"),
  ELASTIC_WORKLOADS: z.enum(["engine", "kubernetes"]).default("engine"),
  ELASTIC_KUBERNETES_CONFIG: file.optional(),
  ELASTIC_KUBERNETES_NAMESPACE: clusterName.optional(),
  ELASTIC_KUBERNETES_GPU_RESOURCE: z
    .string()
    .regex(/^([a-z0-9.-]+\/)?[A-Za-z0-9._-]+$/, "must be a resource such as nvidia.com/gpu")
    .default(DEFAULT_GPU_RESOURCE),
  ELASTIC_KUBERNETES_GPUS: z.coerce.number(WHOLE_NUMBER).int().min(0).max(SLOTS_MAX).optional(),
  ELASTIC_KUBERNETES_NODE_SELECTOR: z.string().default("").transform(parseLabels),
  ELASTIC_KUBERNETES_PULL_SECRET: clusterName.optional(),
  ELASTIC_KUBERNETES_RUNTIME_CLASS: clusterName.optional(),
  ELASTIC_FFI_LIBRARY: z.string().optional(),
  ELASTIC_ACCEL_LIBRARY: z.string().optional(),
  ELASTIC_NVML_LIBRARY: file.default(NVML_LIBRARY),
  ELASTIC_SRS_PATH: z.string().optional(),
  ELASTIC_SLOTS: z.coerce.number(WHOLE_NUMBER).int().min(1).max(SLOTS_MAX).optional(),
  ELASTIC_LABELS: z.string().default("").transform(parseLabels),
  ELASTIC_METRICS_LISTEN: address.default(DEFAULT_METRICS_LISTEN),
  ELASTIC_OTLP_ENDPOINT: collector.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: collector.optional(),
  ELASTIC_VOLUME_CACHE_BYTES: z.coerce
    .number(WHOLE_NUMBER)
    .int()
    .min(0)
    .max(Number.MAX_SAFE_INTEGER)
    .default(DEFAULT_VOLUME_CACHE_BYTES),
  ELASTIC_DISK_HIGH_PERCENT: percent.default(DEFAULT_DISK_HIGH_PERCENT),
  ELASTIC_DISK_LOW_PERCENT: percent.default(DEFAULT_DISK_LOW_PERCENT),
  // None: what is not public is this machine's network, and its operator's.
  ELASTIC_SHELL_EGRESS_RANGES: z.string().default("").transform(parseRanges),
  ELASTIC_BUILDS: z.coerce.number(WHOLE_NUMBER).int().min(0).max(BUILDS_MAX).default(0),
  ELASTIC_BUILD_EGRESS: z.string().default(DEFAULT_BUILD_EGRESS).transform(parseEgress),
  ELASTIC_BUILD_EGRESS_RANGES: z.string().default("").transform(parseRanges),
  ELASTIC_BUILD_MIRROR: z
    .string()
    .regex(/^[^\s/:]+(:\d{1,5})?$/, "must be host or host:port")
    .optional(),
  ELASTIC_BUILD_DISK_BYTES: z.coerce
    .number(WHOLE_NUMBER)
    .int()
    .min(BUILD_DISK_BYTES_MIN)
    .default(DEFAULT_BUILD_DISK_BYTES),
  ELASTIC_BUILD_CACHE_BYTES: z.coerce.number(WHOLE_NUMBER).int().min(0).default(DEFAULT_BUILD_CACHE_BYTES),
  ELASTIC_BUILD_CPU_WEIGHT: z.string().default("idle").transform(parseCpuWeight),
  ELASTIC_UPGRADE_COMMAND: z.string().optional(),
  PATH: z.string().default(""),
  ELASTIC_BUILTIN_TEST_PROVERS: flag,
  ELASTIC_EXECUTION_LEDGER: file.optional(),
  ELASTIC_LOG_LEVEL: z.enum(["trace", "debug", "info", "warn", "error", "silent"]).default("info"),
});

const environment = variables.refine(
  ({ ELASTIC_DISK_LOW_PERCENT: low, ELASTIC_DISK_HIGH_PERCENT: high }) => low < high,
  { path: ["ELASTIC_DISK_LOW_PERCENT"], message: "must be below ELASTIC_DISK_HIGH_PERCENT" },
);

/** What is set for the agent alone; `PATH` is the machine's. */
export type Variable = Exclude<keyof z.input<typeof environment>, "PATH">;

/** What is the machine's own, whoever it is. */
export type MachineConfig = Omit<AgentConfig, "coordinators" | "tls" | "isEnrolled">;

export function loadConfig(env: NodeJS.ProcessEnv): AgentConfig {
  return { ...loadMachineConfig(env), ...whoAndWhere(parse(env)) };
}

/** Works before the machine is enrolled. */
export function loadMachineConfig(env: NodeJS.ProcessEnv): MachineConfig {
  const settings = parse(env);
  return {
    stateDir: settings.ELASTIC_STATE_DIR,
    engine: parseEngine(settings.ELASTIC_ENGINE_SOCKET),
    cluster: clusterOf(settings),
    ffiLibrary: settings.ELASTIC_FFI_LIBRARY ?? null,
    accelLibrary: accelLibraryOf(settings.ELASTIC_ACCEL_LIBRARY),
    nvmlLibrary: settings.ELASTIC_NVML_LIBRARY,
    srsFile: settings.ELASTIC_SRS_PATH ?? null,
    slots: settings.ELASTIC_SLOTS ?? null,
    labels: settings.ELASTIC_LABELS,
    metricsListen: parseListen(settings.ELASTIC_METRICS_LISTEN),
    otlpEndpoint: settings.ELASTIC_OTLP_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT ?? null,
    volumeCacheBytes: settings.ELASTIC_VOLUME_CACHE_BYTES,
    disks: { highPercent: settings.ELASTIC_DISK_HIGH_PERCENT, lowPercent: settings.ELASTIC_DISK_LOW_PERCENT },
    shellEgressRanges: settings.ELASTIC_SHELL_EGRESS_RANGES,
    builds: {
      max: settings.ELASTIC_BUILDS,
      egress: settings.ELASTIC_BUILD_EGRESS,
      egressRanges: settings.ELASTIC_BUILD_EGRESS_RANGES,
      mirror: settings.ELASTIC_BUILD_MIRROR ?? null,
      diskBytes: settings.ELASTIC_BUILD_DISK_BYTES,
      cacheBytes: settings.ELASTIC_BUILD_CACHE_BYTES,
      cpuWeight: settings.ELASTIC_BUILD_CPU_WEIGHT,
      path: settings.PATH,
    },
    upgradeCommand: settings.ELASTIC_UPGRADE_COMMAND ?? null,
    testProvers: settings.ELASTIC_BUILTIN_TEST_PROVERS === "1",
    executionLedger: settings.ELASTIC_EXECUTION_LEDGER ?? null,
    logLevel: settings.ELASTIC_LOG_LEVEL,
  };
}

type Settings = z.output<typeof environment>;

function parse(env: NodeJS.ProcessEnv): Settings {
  const parsed = environment.safeParse(withoutEmpty(env));
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ConfigError(`the agent's settings cannot be used:\n  ${problems.join("\n  ")}`);
}

/** By the certificate that is given, or else by that of the machine's enrollment. */
function whoAndWhere(settings: Settings): Pick<AgentConfig, "coordinators" | "tls" | "isEnrolled"> {
  const { ELASTIC_TLS_CA: caFile, ELASTIC_TLS_CERT: certFile, ELASTIC_TLS_KEY: keyFile } = settings;
  const given = { ELASTIC_COORDINATORS: settings.ELASTIC_COORDINATORS, ELASTIC_TLS_CA: caFile };
  if (caFile === undefined && certFile === undefined && keyFile === undefined) {
    const identity = readIdentity(settings.ELASTIC_STATE_DIR);
    if (identity === null) throw new ConfigError(NOT_ENROLLED);
    const coordinators = settings.ELASTIC_COORDINATORS ?? identity.coordinators;
    return { coordinators, tls: identity.tls, isEnrolled: true };
  }
  const all = { ...given, ELASTIC_TLS_CERT: certFile, ELASTIC_TLS_KEY: keyFile };
  const missing = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length > 0) throw new ConfigError(`the agent's settings cannot be used: ${missing.join(", ")} not set`);
  const tls = { caFile: caFile ?? "", certFile: certFile ?? "", keyFile: keyFile ?? "" };
  return { coordinators: settings.ELASTIC_COORDINATORS ?? [], tls, isEnrolled: false };
}

const NOT_ENROLLED =
  "this machine is not enrolled: run the line that `elastic-coordinator token create` prints, " +
  "or set ELASTIC_COORDINATORS, ELASTIC_TLS_CA, ELASTIC_TLS_CERT and ELASTIC_TLS_KEY";

export function loadStateConfig(env: NodeJS.ProcessEnv): StateConfig {
  return { stateDir: env.ELASTIC_STATE_DIR || DEFAULT_STATE_DIR };
}

/** A variable that is set to nothing counts as not set. */
function withoutEmpty(env: NodeJS.ProcessEnv): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
}

function parseEngine(text: string): EngineSetting {
  if (text === "auto" || text === "none") return { kind: text };
  return { kind: "socket", path: text.replace(/^unix:\/\//, "") };
}

function clusterOf(settings: Settings): ClusterSetting | null {
  if (settings.ELASTIC_WORKLOADS === "engine") return null;
  return {
    configFile: settings.ELASTIC_KUBERNETES_CONFIG ?? null,
    namespace: settings.ELASTIC_KUBERNETES_NAMESPACE ?? null,
    gpuResource: settings.ELASTIC_KUBERNETES_GPU_RESOURCE,
    gpus: settings.ELASTIC_KUBERNETES_GPUS ?? null,
    nodeSelector: settings.ELASTIC_KUBERNETES_NODE_SELECTOR,
    pullSecret: settings.ELASTIC_KUBERNETES_PULL_SECRET ?? null,
    runtimeClass: settings.ELASTIC_KUBERNETES_RUNTIME_CLASS ?? null,
  };
}

/** Found where it usually is, so that what is typed on the machine uses the one that its agent uses. */
function accelLibraryOf(text: string | undefined): string | null {
  return text === "none" ? null : (text ?? findAccelLibrary());
}

function parseListen(text: string): ListenAddress {
  const colon = text.lastIndexOf(":");
  return { host: text.slice(0, colon).replace(/^\[|\]$/g, ""), port: Number(text.slice(colon + 1)) };
}

function parseLabels(text: string, context: z.RefinementCtx): Record<string, string> {
  const labels = new Map<string, string>();
  for (const part of text.split(",").filter((each) => each.trim() !== "")) {
    const [, key, value] = /^\s*([A-Za-z0-9._/-]{1,63})=([A-Za-z0-9._/-]{0,63})\s*$/.exec(part) ?? [];
    if (key === undefined || value === undefined)
      context.addIssue({ code: "custom", message: `"${part}" is not key=value` });
    else if (labels.has(key)) context.addIssue({ code: "custom", message: `"${key}" is there twice` });
    else labels.set(key, value);
  }
  if (labels.size > LABELS_MAX) context.addIssue({ code: "custom", message: `more than ${LABELS_MAX} labels` });
  return Object.fromEntries(labels);
}

/** `none` is a list of no host, which nothing at all would not be. */
function parseEgress(text: string, context: z.RefinementCtx): readonly EgressRule[] {
  if (text === "none") return [];
  return partsOf(text).flatMap((part) => {
    const rule = parseEgressRule(part);
    if (rule === null) context.addIssue({ code: "custom", message: `"${part}" is not host, host:port or *.domain` });
    return rule ?? [];
  });
}

function parseCpuWeight(text: string, context: z.RefinementCtx): CpuWeight {
  if (text === "idle") return text;
  const weight = Number(text);
  if (!Number.isInteger(weight) || weight < CPU_WEIGHT_MIN || weight > CPU_WEIGHT_MAX) {
    const message = `must be idle or a whole number from ${CPU_WEIGHT_MIN} to ${CPU_WEIGHT_MAX}`;
    context.addIssue({ code: "custom", message });
  }
  return weight;
}

function partsOf(text: string): readonly string[] {
  return text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

function parseRanges(text: string, context: z.RefinementCtx): readonly IpRange[] {
  return partsOf(text).flatMap((part) => {
    const range = parseRange(part);
    if (range === null) context.addIssue({ code: "custom", message: `"${part}" is not a range of addresses` });
    return range ?? [];
  });
}
