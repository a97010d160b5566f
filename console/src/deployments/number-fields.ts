/** The numbers of a deployment: where each is in its record, and the unit in which a person writes it. */
import type { components } from "elastic-client/gen/schema.ts";

type Deployment = components["schemas"]["Deployment"];

type Place =
  | { readonly group: "resources"; readonly member: keyof Deployment["resources"] }
  | { readonly group: "scaling"; readonly member: keyof Deployment["scaling"] }
  | { readonly group: "limits"; readonly member: keyof Deployment["limits"] };

export type NumberField = Place & {
  readonly label: string;
  readonly description?: string;
  /** How many of the record's units one written unit is. */
  readonly unit: number;
  /** Default 0. */
  readonly decimals?: number;
};

const MIB = 1024 ** 2;
const GIB = 1024 ** 3;

const NUMBER_FIELDS = {
  cpu: { group: "resources", member: "cpu_millis", label: "CPU cores", unit: 1_000, decimals: 1 },
  memory: { group: "resources", member: "memory_bytes", label: "Memory (GiB)", unit: GIB, decimals: 2 },
  tmp: { group: "resources", member: "tmp_bytes", label: "Temporary files (MiB)", unit: MIB },
  pids: { group: "resources", member: "pids", label: "Processes and threads", unit: 1 },
  gpus: { group: "resources", member: "gpu_count", label: "GPUs", unit: 1 },
  gpuMemory: {
    group: "resources",
    member: "gpu_memory_bytes",
    label: "Memory of each GPU (GiB)",
    unit: GIB,
    decimals: 1,
  },
  min: { group: "scaling", member: "min", label: "Fewest workloads", unit: 1, description: "0 stops an idle service." },
  max: { group: "scaling", member: "max", label: "Most workloads", unit: 1 },
  idleTimeout: { group: "scaling", member: "idle_timeout_seconds", label: "Idle time before one stops (s)", unit: 1 },
  targetQueue: { group: "scaling", member: "target_queue_seconds", label: "Wanted time in the queue (s)", unit: 1 },
  queueTimeout: { group: "limits", member: "queue_timeout_seconds", label: "Queue timeout (s)", unit: 1 },
  startTimeout: { group: "limits", member: "start_timeout_seconds", label: "Start timeout (s)", unit: 1 },
  runTimeout: { group: "limits", member: "run_timeout_seconds", label: "Run timeout (s)", unit: 1 },
  concurrency: { group: "limits", member: "concurrency", label: "Tasks of a workload at once", unit: 1 },
  proverRetries: { group: "limits", member: "prover_retries", label: "Retries after a prover's error", unit: 1 },
} as const satisfies Readonly<Record<string, NumberField>>;

export type NumberName = keyof typeof NUMBER_FIELDS;

export const NUMBER_NAMES = Object.keys(NUMBER_FIELDS) as readonly NumberName[];

export function numberField(name: NumberName): NumberField {
  return NUMBER_FIELDS[name];
}

/** As a person writes it. */
export function numberOf(deployment: Deployment, name: NumberName): number {
  const { group, member, unit } = numberField(name);
  return Number((deployment[group] as Readonly<Record<string, unknown>>)[member]) / unit;
}

/** As refusals name it. */
export function pointerOf({ group, member }: Place): string {
  return `#/${group}/${member}`;
}
