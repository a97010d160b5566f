import type { DashboardText } from "./dashboard-parts.ts";

const CHOSEN = '{team=~"$team"}';

export const TENANT: DashboardText = {
  name: "tenant",
  title: "Elastic: tenant",
  description:
    "What a team has waiting, running and reserved, by its id; teams beyond the twenty that have most waiting are `other`.",
  choice: { label: "team", of: "elastic_team_held_slots" },
  panels: [
    {
      title: "Tasks that wait",
      unit: "short",
      queries: [{ expr: `max by (team) (elastic_team_queued_tasks${CHOSEN})`, legend: "{{team}}" }],
    },
    {
      title: "Tasks that run",
      unit: "short",
      queries: [{ expr: `max by (team) (elastic_team_running_tasks${CHOSEN})`, legend: "{{team}}" }],
    },
    {
      title: "Slots that workloads hold",
      unit: "short",
      queries: [{ expr: `max by (team) (elastic_team_held_slots${CHOSEN})`, legend: "{{team}}" }],
    },
    {
      title: "Share of all slots that are held",
      unit: "percentunit",
      queries: [
        {
          expr: `max by (team) (elastic_team_held_slots${CHOSEN}) / scalar(sum(max by (team) (elastic_team_held_slots)) > 0)`,
          legend: "{{team}}",
        },
      ],
    },
  ],
};
