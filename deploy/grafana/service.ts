import { type DashboardText, quantile } from "./dashboard-parts.ts";

const CHOSEN = '{service=~"$service"}';

export const SERVICE: DashboardText = {
  name: "service",
  title: "Elastic: service",
  description:
    "Queue and workloads of a service, by its id; services beyond the twenty whose tasks wait longest are `other`. The console has the history of each.",
  choice: { label: "service", of: "elastic_service_running_tasks" },
  panels: [
    {
      title: "Tasks that wait",
      unit: "short",
      queries: [{ expr: `max by (service) (elastic_service_queued_tasks${CHOSEN})`, legend: "{{service}}" }],
    },
    {
      title: "Age of the oldest task that waits",
      unit: "s",
      queries: [{ expr: `max by (service) (elastic_queue_oldest_seconds${CHOSEN})`, legend: "{{service}}" }],
    },
    {
      title: "Tasks that run",
      unit: "short",
      queries: [{ expr: `max by (service) (elastic_service_running_tasks${CHOSEN})`, legend: "{{service}}" }],
    },
    {
      title: "Ready workloads",
      unit: "short",
      queries: [{ expr: `max by (service) (elastic_service_ready_workloads${CHOSEN})`, legend: "{{service}}" }],
    },
    {
      title: "Tasks that run for each ready workload",
      unit: "short",
      queries: [
        {
          expr: `max by (service) (elastic_service_running_tasks${CHOSEN}) / (max by (service) (elastic_service_ready_workloads${CHOSEN}) > 0)`,
          legend: "{{service}}",
        },
      ],
    },
    {
      title: "Cold starts by stage, p95 of all services",
      unit: "s",
      queries: [{ expr: quantile(0.95, "elastic_agent_cold_start_seconds", "", ["stage"]), legend: "{{stage}}" }],
    },
  ],
};
