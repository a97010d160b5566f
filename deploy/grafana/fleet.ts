import { type DashboardText, quantile, rate } from "./dashboard-parts.ts";

export const FLEET: DashboardText = {
  name: "fleet",
  title: "Elastic: fleet",
  description: "Service levels, tasks, machines, coordinators and etcd. The ratios come from elastic.rules.yml.",
  panels: [
    {
      title: "Bad events of the service levels, 1 h",
      unit: "percentunit",
      queries: [
        { expr: "elastic:http_error_ratio:rate1h", legend: "requests" },
        { expr: "elastic:task_failure_ratio:rate1h", legend: "tasks" },
        { expr: "elastic:queue_late_ratio:rate1h", legend: "queue" },
      ],
    },
    {
      title: "Requests by status",
      unit: "reqps",
      queries: [{ expr: rate("elastic_http_requests_total", "status"), legend: "{{status}}" }],
    },
    {
      title: "Time of requests, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "elastic_http_request_seconds", "", ["route"]), legend: "{{route}}" }],
    },
    {
      title: "Tasks created and ended",
      unit: "ops",
      queries: [
        { expr: rate("elastic_tasks_created_total", ""), legend: "created" },
        { expr: rate("elastic_tasks_ended_total", "phase"), legend: "{{phase}}" },
      ],
    },
    {
      title: "Tasks that ended without success",
      unit: "ops",
      queries: [{ expr: rate("elastic_tasks_ended_total", "reason", '{reason!="none"}'), legend: "{{reason}}" }],
    },
    {
      title: "Attempts to be repeated",
      unit: "ops",
      queries: [{ expr: rate("elastic_task_requeues_total", "reason"), legend: "{{reason}}" }],
      emptyAtRest: "Empty while no attempt has failed for what another may do.",
    },
    {
      title: "Tasks that wait",
      unit: "short",
      queries: [{ expr: "sum(elastic_queue_tasks)", legend: "queued" }],
    },
    {
      title: "Time to a slot",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "elastic_task_create_to_claim_seconds"), legend: "p50" },
        { expr: quantile(0.95, "elastic_task_create_to_claim_seconds"), legend: "p95" },
        { expr: "max(elastic_queue_oldest_seconds)", legend: "longest of those that wait" },
      ],
    },
    {
      title: "Time from creation to the end",
      unit: "s",
      queries: [
        { expr: quantile(0.5, "elastic_task_life_seconds"), legend: "p50" },
        { expr: quantile(0.95, "elastic_task_life_seconds"), legend: "p95" },
      ],
    },
    {
      title: "Machines",
      unit: "short",
      queries: [
        { expr: "max by (state) (elastic_nodes)", legend: "{{state}}" },
        { expr: "max(elastic_nodes_quarantined)", legend: "quarantined" },
      ],
    },
    {
      title: "Links of agents",
      unit: "short",
      queries: [{ expr: "elastic_links", legend: "{{instance}}" }],
    },
    {
      title: "Programs by version and commit",
      unit: "short",
      queries: [{ expr: "count by (version, commit) (elastic_build_info)", legend: "{{version}} {{commit}}" }],
    },
    {
      title: "Leader, and circuit breaker",
      unit: "short",
      queries: [
        { expr: "elastic_scheduler_leader", legend: "{{instance}} leads" },
        { expr: "max(elastic_scheduler_brake)", legend: "requeueing is stopped" },
      ],
    },
    {
      title: "Turns of the scheduler, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "elastic_scheduler_turn_seconds"), legend: "turn" }],
    },
    {
      title: "Delay of the event loop, p99",
      unit: "s",
      queries: [{ expr: 'elastic_event_loop_delay_seconds{quantile="0.99"}', legend: "{{instance}}" }],
    },
    {
      title: "etcd's size",
      unit: "bytes",
      queries: [
        { expr: "max(elastic_store_in_use_bytes)", legend: "in use" },
        { expr: "max(elastic_store_quota_bytes)", legend: "quota" },
      ],
    },
    {
      title: "Transactions of etcd, p99",
      unit: "s",
      queries: [{ expr: quantile(0.99, "elastic_store_transaction_seconds"), legend: "transaction" }],
    },
    {
      title: "Age of the view",
      unit: "s",
      queries: [{ expr: "elastic_store_view_age_seconds", legend: "{{instance}}" }],
    },
    {
      title: "Archive",
      unit: "s",
      queries: [{ expr: "max(elastic_archive_lag_seconds)", legend: "longest in etcd since the end" }],
    },
    {
      title: "Deliveries of webhooks",
      unit: "ops",
      queries: [{ expr: rate("elastic_webhook_deliveries_total", "outcome"), legend: "{{outcome}}" }],
      emptyAtRest: "Empty where no service has a webhook.",
    },
    {
      title: "Background loops that fail",
      unit: "short",
      queries: [{ expr: "sum by (loop) (elastic_loop_failing)", legend: "{{loop}}" }],
    },
  ],
};
