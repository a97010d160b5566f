/** docs/reference/metrics.md: every metric of the two programs, from the instruments themselves. */
import { addGpuInstruments } from "@elastic/agent/metrics/gpu-instruments.ts";
import { createInstruments } from "@elastic/agent/metrics/instruments.ts";
import { createMetrics } from "@elastic/coordinator/metrics/metrics.ts";
import type { Registry } from "prom-client";
import { code, markdownTable } from "./markdown-table.ts";

export async function metricsPage(): Promise<string> {
  return `# Metrics

Served at \`/metrics\` where \`ELASTIC_METRICS_LISTEN\` says, in the text format of Prometheus. Labels have closed lists of values;
\`service\` and \`team\` are ids of at most twenty, and \`other\`. [Operators](../operators.md#at-night) has the alarms over these.

## Coordinator

And \`process_*\`, \`nodejs_*\`, as every program on Node.js has them.

${await tableOf(ofCoordinator())}

## Agent

${await tableOf(ofAgent())}
`;
}

function ofCoordinator(): Registry {
  const metrics = createMetrics();
  const zero = () => 0;
  const never = () => false;
  metrics.store.observe({
    viewAgeMs: zero,
    isFull: never,
    size: () => null,
    isNearlyFull: never,
    isChanged: never,
    unreadable: zero,
  });
  metrics.archive.observeLive(() => ({ ended: 0, lagMs: 0 }));
  metrics.clocks.observe(() => ({ offsetMs: 0, standing: "alone", known: 1 }));
  return metrics.registry;
}

function ofAgent(): Registry {
  const zero = () => 0;
  const { registry } = createInstruments({
    workloadPhases: () => [],
    attemptsRunning: zero,
    outcomesPending: zero,
    outcomesSpooled: zero,
    logBytesWaiting: zero,
    volumeBytes: zero,
    disksUnderPressure: zero,
    linksUp: zero,
    gpus: zero,
    engines: zero,
    egressPolicies: zero,
    certificateValidity: () => ({ fromMs: 0, toMs: 0 }),
  });
  addGpuInstruments(registry, () => []);
  return registry;
}

/** The labels that an instrument was made with are in no declaration. */
interface Labelled {
  readonly name: string;
  readonly labelNames: readonly string[];
}

async function tableOf(registry: Registry): Promise<string> {
  const labels = new Map(
    (registry.getMetricsAsArray() as unknown as readonly Labelled[]).map(({ name, labelNames }) => [name, labelNames]),
  );
  const metrics = await registry.getMetricsAsJSON();
  const rows = metrics
    .filter(({ name }) => name.startsWith("elastic_"))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, type, help }) => [
      code(name),
      String(type),
      (labels.get(name) ?? [])
        .filter((label) => label !== "le")
        .map(code)
        .join(", "),
      /[.!]$/.test(help) ? help : `${help}.`,
    ]);
  return markdownTable(["Metric", "Type", "Labels", "Meaning"], rows);
}
