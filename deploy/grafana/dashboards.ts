/** The dashboards for Grafana over the metrics of coordinators and agents, as files that it imports. */
import { dashboardOf } from "./dashboard-parts.ts";
import { FLEET } from "./fleet.ts";
import { MACHINE } from "./machine.ts";
import { SERVICE } from "./service.ts";
import { TENANT } from "./tenant.ts";

export const DASHBOARDS = [FLEET, SERVICE, MACHINE, TENANT] as const;
export const DASHBOARD_FOLDER = "deploy/grafana";

/** By the name of each file. */
export function dashboardFiles(): Readonly<Record<string, string>> {
  return Object.fromEntries(
    DASHBOARDS.map((text) => [`${text.name}.json`, `${JSON.stringify(dashboardOf(text), null, 2)}\n`]),
  );
}
