/** Which page each path shows. A page is loaded when it is first opened. */
import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect } from "@tanstack/react-router";
import { settleTeam } from "./active-team/active-team.ts";
import { ApiError } from "./api/problem.ts";
import { ErrorPage } from "./layout/error-page.tsx";
import { NotFoundPage } from "./layout/not-found-page.tsx";
import { readRange } from "./metrics/range.ts";
import { readMachineFilter } from "./operators/machine-filter.ts";
import { readNameFilter } from "./operators/name-filter.ts";
import { readLoginSearch, searchFor } from "./session/login-search.ts";
import { queryClient } from "./session/query-client.ts";
import { storeForUser } from "./session/stored-user.ts";
import { meQuery } from "./session/use-me.ts";
import { readLinkSearch } from "./sources/link-search.ts";
import { readTaskFilter } from "./tasks/task-filter.ts";
import { readAuditFilter } from "./team/audit-filter.ts";
import { readUsageFilter } from "./usage/usage-filter.ts";

/** What the form of a deployment begins with. */
interface DeploymentStart {
  /** An earlier deployment. */
  readonly from?: string | undefined;
  readonly image?: string | undefined;
}

const root = createRootRoute({ notFoundComponent: NotFoundPage, errorComponent: ErrorPage });

const login = createRoute({
  getParentRoute: () => root,
  path: "/login",
  validateSearch: readLoginSearch,
  component: lazyRouteComponent(() => import("./session/login-page.tsx"), "LoginPage"),
});

/** What only shows to a user who is logged in. */
const inside = createRoute({
  getParentRoute: () => root,
  id: "inside",
  beforeLoad: async ({ location }) => {
    try {
      const me = await queryClient.ensureQueryData(meQuery);
      storeForUser(me.user_id, localStorage);
      settleTeam(me.teams);
    } catch (error) {
      if (error instanceof ApiError && error.status === 401) {
        throw redirect({ to: "/login", search: searchFor(location.href) });
      }
      throw error;
    }
  },
  component: lazyRouteComponent(() => import("./frame/layout.tsx"), "Layout"),
});

const home = createRoute({
  getParentRoute: () => inside,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/services" });
  },
});

const services = createRoute({
  getParentRoute: () => inside,
  path: "/services",
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import("./service-pages/services-page.tsx"), "ServicesPage"),
});

const newService = createRoute({
  getParentRoute: () => inside,
  path: "/services/new",
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import("./service-pages/new-service-page.tsx"), "NewServicePage"),
});

const service = createRoute({
  getParentRoute: () => inside,
  path: "/services/$serviceId",
  component: lazyRouteComponent(() => import("./service-pages/service-layout.tsx"), "ServiceLayout"),
});

const overview = createRoute({
  getParentRoute: () => service,
  path: "/",
  component: lazyRouteComponent(() => import("./service-pages/service-page.tsx"), "ServicePage"),
});

const deployments = createRoute({
  getParentRoute: () => service,
  path: "/deployments",
  component: lazyRouteComponent(() => import("./deployments/deployments-page.tsx"), "DeploymentsPage"),
});

const builds = createRoute({
  getParentRoute: () => service,
  path: "/builds",
  component: lazyRouteComponent(() => import("./builds/builds-page.tsx"), "BuildsPage"),
});

const build = createRoute({
  getParentRoute: () => service,
  path: "/builds/$buildId",
  component: lazyRouteComponent(() => import("./builds/build-page.tsx"), "BuildPage"),
});

const source = createRoute({
  getParentRoute: () => service,
  path: "/source",
  validateSearch: readLinkSearch,
  component: lazyRouteComponent(() => import("./sources/source-page.tsx"), "SourcePage"),
});

const newDeployment = createRoute({
  getParentRoute: () => service,
  path: "/deploy",
  validateSearch: ({ from, image }: Readonly<Record<string, unknown>>): DeploymentStart => ({
    from: typeof from === "string" ? from : undefined,
    image: typeof image === "string" ? image : undefined,
  }),
  component: lazyRouteComponent(() => import("./deployments/new-deployment-page.tsx"), "NewDeploymentPage"),
});

const serviceMetrics = createRoute({
  getParentRoute: () => service,
  path: "/metrics",
  validateSearch: readRange,
  component: lazyRouteComponent(() => import("./metrics/service-metrics-page.tsx"), "ServiceMetricsPage"),
});

const serviceLogs = createRoute({
  getParentRoute: () => service,
  path: "/logs",
  validateSearch: ({ search }: Readonly<Record<string, unknown>>): { readonly search?: string | undefined } => ({
    search: typeof search === "string" ? search : undefined,
  }),
  component: lazyRouteComponent(() => import("./logs/service-logs-page.tsx"), "ServiceLogsPage"),
});

const serviceSettings = createRoute({
  getParentRoute: () => service,
  path: "/settings",
  component: lazyRouteComponent(() => import("./service-pages/service-settings-page.tsx"), "ServiceSettingsPage"),
});

const keys = createRoute({
  getParentRoute: () => inside,
  path: "/keys",
  component: lazyRouteComponent(() => import("./keys/keys-page.tsx"), "KeysPage"),
});

const history = createRoute({
  getParentRoute: () => inside,
  path: "/settings/task-history",
  validateSearch: readTaskFilter,
  component: lazyRouteComponent(() => import("./tasks/task-history-page.tsx"), "TaskHistoryPage"),
});

/** As the specification spells it. */
const misspelt = createRoute({
  getParentRoute: () => inside,
  path: "/settings/task-hisotry",
  beforeLoad: () => {
    throw redirect({ to: "/settings/task-history" });
  },
});

const team = createRoute({
  getParentRoute: () => inside,
  path: "/settings/team",
  validateSearch: (search: Readonly<Record<string, unknown>>) => ({
    ...readAuditFilter(search),
    ...readLinkSearch(search),
  }),
  component: lazyRouteComponent(() => import("./team/team-page.tsx"), "TeamPage"),
});

const usage = createRoute({
  getParentRoute: () => inside,
  path: "/settings/usage",
  validateSearch: readUsageFilter,
  component: lazyRouteComponent(() => import("./usage/usage-page.tsx"), "UsagePage"),
});

const sessions = createRoute({
  getParentRoute: () => inside,
  path: "/settings/sessions",
  component: lazyRouteComponent(() => import("./session/sessions-page.tsx"), "SessionsPage"),
});

const device = createRoute({
  getParentRoute: () => inside,
  path: "/device",
  component: lazyRouteComponent(() => import("./device/device-page.tsx"), "DevicePage"),
});

const shells = createRoute({
  getParentRoute: () => inside,
  path: "/shells",
  component: lazyRouteComponent(() => import("./shells/shells-page.tsx"), "ShellsPage"),
});

const shell = createRoute({
  getParentRoute: () => inside,
  path: "/shells/$shellId",
  component: lazyRouteComponent(() => import("./shells/shell-layout.tsx"), "ShellLayout"),
});

const shellOverview = createRoute({
  getParentRoute: () => shell,
  path: "/",
  component: lazyRouteComponent(() => import("./shells/shell-page.tsx"), "ShellPage"),
});

const terminal = createRoute({
  getParentRoute: () => shell,
  path: "/terminal",
  component: lazyRouteComponent(() => import("./shells/terminal/terminal-page.tsx"), "TerminalPage"),
});

const volumes = createRoute({
  getParentRoute: () => inside,
  path: "/volumes",
  component: lazyRouteComponent(() => import("./volumes/volumes-page.tsx"), "VolumesPage"),
});

const volume = createRoute({
  getParentRoute: () => inside,
  path: "/volumes/$volumeId",
  component: lazyRouteComponent(() => import("./volumes/volume-page.tsx"), "VolumePage"),
});

const machines = createRoute({
  getParentRoute: () => inside,
  path: "/operators/machines",
  validateSearch: readMachineFilter,
  component: lazyRouteComponent(() => import("./operators/machines-page.tsx"), "MachinesPage"),
});

const machine = createRoute({
  getParentRoute: () => inside,
  path: "/operators/machines/$nodeId",
  component: lazyRouteComponent(() => import("./operators/machine-page.tsx"), "MachinePage"),
});

const fleet = createRoute({
  getParentRoute: () => inside,
  path: "/operators/fleet",
  component: lazyRouteComponent(() => import("./operators/fleet-page.tsx"), "FleetPage"),
});

const pools = createRoute({
  getParentRoute: () => inside,
  path: "/operators/pools",
  component: lazyRouteComponent(() => import("./operators/pools-page.tsx"), "PoolsPage"),
});

const users = createRoute({
  getParentRoute: () => inside,
  path: "/operators/users",
  validateSearch: readNameFilter,
  component: lazyRouteComponent(() => import("./operators/users-page.tsx"), "UsersPage"),
});

const task = createRoute({
  getParentRoute: () => inside,
  path: "/tasks/$taskId",
  component: lazyRouteComponent(() => import("./tasks/task-page.tsx"), "TaskPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    login,
    inside.addChildren([
      home,
      services,
      newService,
      service.addChildren([
        overview,
        deployments,
        builds,
        build,
        source,
        newDeployment,
        serviceLogs,
        serviceMetrics,
        serviceSettings,
      ]),
      keys,
      history,
      misspelt,
      team,
      usage,
      sessions,
      device,
      task,
      shells,
      volumes,
      volume,
      machines,
      machine,
      fleet,
      pools,
      users,
      shell.addChildren([shellOverview, terminal]),
    ]),
  ]),
  defaultPreload: "intent",
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
