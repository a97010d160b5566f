import { type DashboardText, quantile, rate } from "./dashboard-parts.ts";

const CHOSEN = '{instance=~"$instance"}';
const NO_GPU = "Empty on machines without a GPU.";

export const MACHINE: DashboardText = {
  name: "machine",
  title: "Elastic: machine",
  description: "One agent, or several: attempts, workloads, GPUs, disks and links.",
  choice: { label: "instance", of: "elastic_agent_links_up" },
  panels: [
    {
      title: "Attempts under way",
      unit: "short",
      queries: [{ expr: `elastic_agent_attempts_running${CHOSEN}`, legend: "{{instance}}" }],
    },
    {
      title: "Attempts by outcome",
      unit: "ops",
      queries: [{ expr: rate("elastic_agent_attempts_total", "outcome", CHOSEN), legend: "{{outcome}}" }],
    },
    {
      title: "Time of provers",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "elastic_agent_attempt_run_seconds", CHOSEN), legend: "p50" },
        { expr: quantile(0.95, "elastic_agent_attempt_run_seconds", CHOSEN), legend: "p95" },
      ],
    },
    {
      title: "Time from the order to the prover, p95",
      unit: "s",
      queries: [{ expr: quantile(0.95, "elastic_agent_attempt_wait_seconds", CHOSEN), legend: "p95" }],
    },
    {
      title: "Workloads",
      unit: "short",
      queries: [{ expr: `sum by (phase) (elastic_agent_workloads${CHOSEN})`, legend: "{{phase}}" }],
    },
    {
      title: "Cold starts by stage, p95",
      unit: "s",
      queries: [{ expr: quantile(0.95, "elastic_agent_cold_start_seconds", CHOSEN, ["stage"]), legend: "{{stage}}" }],
    },
    {
      title: "GPUs: healthy, and held",
      unit: "short",
      queries: [
        { expr: `sum by (instance) (elastic_agent_gpu_healthy${CHOSEN})`, legend: "{{instance}} healthy" },
        { expr: `sum by (instance) (elastic_agent_gpu_held${CHOSEN})`, legend: "{{instance}} held" },
      ],
      emptyAtRest: NO_GPU,
    },
    {
      title: "Utilisation of GPUs",
      unit: "percentunit",
      queries: [{ expr: `elastic_agent_gpu_utilisation_ratio${CHOSEN}`, legend: "{{instance}} {{uuid}}" }],
      emptyAtRest: NO_GPU,
    },
    {
      title: "Memory of GPUs in use",
      unit: "percentunit",
      queries: [
        {
          expr: `elastic_agent_gpu_memory_used_bytes${CHOSEN} / elastic_agent_gpu_memory_bytes${CHOSEN}`,
          legend: "{{instance}} {{uuid}}",
        },
      ],
      emptyAtRest: NO_GPU,
    },
    {
      title: "Temperature of GPUs",
      unit: "celsius",
      queries: [{ expr: `elastic_agent_gpu_temperature_celsius${CHOSEN}`, legend: "{{instance}} {{uuid}}" }],
      emptyAtRest: NO_GPU,
    },
    {
      title: "Errors that GPU drivers reported",
      unit: "ops",
      queries: [
        { expr: rate("elastic_agent_gpu_xids_total", "instance, xid", CHOSEN), legend: "{{instance}} {{xid}}" },
      ],
      emptyAtRest: NO_GPU,
    },
    {
      title: "Outcomes that wait for a coordinator",
      unit: "short",
      queries: [
        { expr: `elastic_agent_outcomes_pending${CHOSEN}`, legend: "{{instance}} pending" },
        { expr: `elastic_agent_outcomes_spooled${CHOSEN}`, legend: "{{instance}} on disk" },
      ],
    },
    {
      title: "Coordinators linked, and fences",
      unit: "short",
      queries: [
        { expr: `elastic_agent_links_up${CHOSEN}`, legend: "{{instance}} links" },
        { expr: `increase(elastic_agent_fences_total${CHOSEN}[$__rate_interval])`, legend: "{{instance}} fences" },
      ],
    },
    {
      title: "Full disks, and engines",
      unit: "short",
      queries: [
        { expr: `elastic_agent_disk_pressure${CHOSEN}`, legend: "{{instance}} disks are full" },
        { expr: `elastic_agent_engines${CHOSEN}`, legend: "{{instance}} engines" },
      ],
    },
    {
      title: "Time until the certificate ends",
      unit: "s",
      queries: [{ expr: `elastic_agent_certificate_ends_timestamp_seconds${CHOSEN} - time()`, legend: "{{instance}}" }],
    },
    {
      title: "Delay of the event loop",
      unit: "s",
      queries: [{ expr: `elastic_event_loop_delay_seconds${CHOSEN}`, legend: "{{instance}} {{quantile}}" }],
    },
  ],
};
