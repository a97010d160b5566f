/** Every setting of an agent, as a person reads it: its variable, its meaning and its default. config.ts reads the values. */

import { NVML_LIBRARY } from "../gpus/driver-process.ts";
import {
  DEFAULT_DISK_HIGH_PERCENT,
  DEFAULT_DISK_LOW_PERCENT,
  DEFAULT_GPU_RESOURCE,
  DEFAULT_METRICS_LISTEN,
  DEFAULT_STATE_DIR,
  DEFAULT_VOLUME_CACHE_BYTES,
  type Variable,
} from "./config.ts";

export interface Setting {
  readonly help: string;
  /** Null where there is none. */
  readonly default: string | null;
}

export const SETTINGS: Readonly<Record<Variable, Setting>> = {
  ELASTIC_COORDINATORS: {
    help: "where coordinators listen for agents, as comma-separated host:port",
    default: "from enrollment",
  },
  ELASTIC_TLS_CA: {
    help: "file with the certificate of the coordinators' authority",
    default: "from enrollment",
  },
  ELASTIC_TLS_CERT: { help: "file with the machine's certificate", default: "from enrollment" },
  ELASTIC_TLS_KEY: { help: "file with the machine's private key", default: "from enrollment" },
  ELASTIC_STATE_DIR: {
    help: "its folder for its identity, disks of shells and all other state",
    default: DEFAULT_STATE_DIR,
  },
  ELASTIC_ENGINE_SOCKET: { help: "socket of Docker or Podman, or none", default: "the first that responds" },
  ELASTIC_WORKLOADS: {
    help: "what runs prover images: engine for this machine's, kubernetes for a namespace of a cluster",
    default: "engine",
  },
  ELASTIC_KUBERNETES_CONFIG: {
    help: "kubeconfig of the cluster",
    default: "the service account of the agent's Pod",
  },
  ELASTIC_KUBERNETES_NAMESPACE: {
    help: "where provers run",
    default: "that of the kubeconfig or of the agent's Pod",
  },
  ELASTIC_KUBERNETES_GPU_RESOURCE: { help: "what a Pod requests for a GPU", default: DEFAULT_GPU_RESOURCE },
  ELASTIC_KUBERNETES_GPUS: {
    help: "GPUs that this node has, where the agent may not read the cluster's nodes and Pods",
    default: "those that nobody else's Pods requested",
  },
  ELASTIC_KUBERNETES_NODE_SELECTOR: {
    help: "labels of the cluster's nodes that provers run on, as pool=gpu",
    default: null,
  },
  ELASTIC_KUBERNETES_PULL_SECRET: { help: "Secret of the namespace with which images are pulled", default: "none" },
  ELASTIC_KUBERNETES_RUNTIME_CLASS: { help: "RuntimeClass of provers", default: "the cluster's" },
  ELASTIC_LABELS: { help: "what deployments and shells may require, as zone=a,rack=7", default: null },
  ELASTIC_SLOTS: { help: "provers at once on a machine without GPUs", default: "one for each core" },
  ELASTIC_VOLUME_CACHE_BYTES: {
    help: "of data volumes on its disk at most",
    default: String(DEFAULT_VOLUME_CACHE_BYTES),
  },
  ELASTIC_DISK_HIGH_PERCENT: {
    help: "how full a disk may be before images, volumes and layers are evicted, and then no new work is taken; 100 for never",
    default: String(DEFAULT_DISK_HIGH_PERCENT),
  },
  ELASTIC_DISK_LOW_PERCENT: {
    help: "down to how full they are evicted, and from where on work is taken again",
    default: String(DEFAULT_DISK_LOW_PERCENT),
  },
  ELASTIC_SHELL_EGRESS_RANGES: {
    help: "address ranges besides public ones that shells may reach, comma-separated",
    default: "none",
  },
  ELASTIC_BUILDS: { help: "builds of images at a time", default: "0, none" },
  ELASTIC_BUILD_EGRESS: {
    help: "hosts that builds may reach, comma-separated, or none",
    default: "the crates registry's",
  },
  ELASTIC_BUILD_EGRESS_RANGES: { help: "address ranges besides public ones that builds may reach", default: "none" },
  ELASTIC_BUILD_MIRROR: { help: "pull-through mirror for base images, as host:port", default: "none" },
  ELASTIC_BUILD_DISK_BYTES: { help: "of one team's layers and its current build", default: "32 GiB" },
  ELASTIC_BUILD_CACHE_BYTES: { help: "of all teams' layers together", default: "128 GiB" },
  ELASTIC_BUILD_CPU_WEIGHT: {
    help: "of all builds together, where a container has 100; idle for only what nothing else wants",
    default: "idle",
  },
  ELASTIC_METRICS_LISTEN: { help: "where Prometheus scrapes /metrics", default: DEFAULT_METRICS_LISTEN },
  ELASTIC_OTLP_ENDPOINT: {
    help: "OpenTelemetry collector that receives traces of tasks over HTTP, as http://collector:4318",
    default: "OTEL_EXPORTER_OTLP_ENDPOINT",
  },
  OTEL_EXPORTER_OTLP_ENDPOINT: { help: "the same, by its standard name", default: "none, no traces" },
  ELASTIC_FFI_LIBRARY: { help: "library of builtin provers", default: "none, containers only" },
  ELASTIC_ACCEL_LIBRARY: {
    help: "libzkaccel.so, which measures the node's score and tests its GPUs, or none",
    default: "the one that is packaged or built with this program, else that of /usr/local/lib",
  },
  ELASTIC_NVML_LIBRARY: { help: "management library of the GPUs' driver", default: NVML_LIBRARY },
  ELASTIC_SRS_PATH: { help: "powers of tau for builtin provers", default: "INSECURE development parameters" },
  ELASTIC_UPGRADE_COMMAND: {
    help: "shell command by which the coordinators' order upgrades this agent where systemd does not run it; gets the options of elastic-agent upgrade",
    default: "none",
  },
  ELASTIC_BUILTIN_TEST_PROVERS: { help: "1 to run noop, clock, echo, sleep and crash too", default: "0" },
  ELASTIC_EXECUTION_LEDGER: {
    help: "file to which the start and the end of each workload and attempt are appended, as JSON lines",
    default: "none",
  },
  ELASTIC_LOG_LEVEL: { help: "trace, debug, info, warn, error or silent", default: "info" },
};

const WIDTH = 120;

/** For `--help`: a column of variables, and a column of meanings that is wrapped. */
export function settingsHelp(): string {
  const indent = Math.max(...Object.keys(SETTINGS).map((env) => env.length)) + 4;
  return Object.entries(SETTINGS)
    .map(([env, { help, default: byDefault }]) => {
      const text = byDefault === null ? help : `${help} (default: ${byDefault})`;
      const lines = wrapped(text, WIDTH - indent);
      return `  ${env}`.padEnd(indent) + lines.join(`\n${" ".repeat(indent)}`);
    })
    .join("\n");
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.pop();
    if (last === undefined) lines.push(word);
    else if (last.length + 1 + word.length <= width) lines.push(`${last} ${word}`);
    else lines.push(last, word);
  }
  return lines;
}
