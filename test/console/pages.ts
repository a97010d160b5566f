/** Every page of the console, as its routes declare them, and the heading by which each is known to be shown. */
import { readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";

export interface ConsolePage {
  readonly path: string;
  readonly heading: string | RegExp;
}

export const PAGES: readonly ConsolePage[] = [
  { path: "/login", heading: "Elastic Proving Service" },
  { path: "/services", heading: "Services" },
  { path: "/services/new", heading: "New Service" },
  { path: "/services/$serviceId", heading: "echo" },
  { path: "/services/$serviceId/deployments", heading: "echo" },
  { path: "/services/$serviceId/builds", heading: "echo" },
  { path: "/services/$serviceId/builds/$buildId", heading: "echo" },
  { path: "/services/$serviceId/source", heading: "echo" },
  { path: "/services/$serviceId/deploy", heading: "echo" },
  { path: "/services/$serviceId/logs", heading: "echo" },
  { path: "/services/$serviceId/metrics", heading: "echo" },
  { path: "/services/$serviceId/settings", heading: "echo" },
  { path: "/shells", heading: "Shells" },
  { path: "/shells/$shellId", heading: "lab" },
  { path: "/shells/$shellId/terminal", heading: "lab" },
  { path: "/volumes", heading: "Volumes" },
  { path: "/volumes/$volumeId", heading: "keys" },
  { path: "/operators/machines", heading: "Machines" },
  { path: "/operators/machines/$nodeId", heading: /^[0-9a-f]{32}$/ },
  { path: "/operators/fleet", heading: "Fleet" },
  { path: "/operators/pools", heading: "Pools" },
  { path: "/operators/users", heading: "Users and teams" },
  { path: "/keys", heading: "Access Keys" },
  { path: "/settings/task-history", heading: "Task History" },
  { path: "/settings/team", heading: "Team" },
  { path: "/settings/usage", heading: "Usage" },
  { path: "/settings/sessions", heading: "Sessions" },
  { path: "/device", heading: "Log in a program" },
  { path: "/tasks/$taskId", heading: /^Task/ },
];

export interface ConsoleState extends ConsolePage {
  /** What is pressed, by its text, once the page is shown. */
  readonly press?: string;
  /** Shown once the page is in this state. */
  readonly text: string;
}

/** Pages as they look in other states. */
export const STATES: readonly ConsoleState[] = [
  { path: "/services", heading: "Services", press: "Try It First", text: "Without a Repository" },
  { path: "/services?source_error=declined&source_host=github", heading: "Services", text: "Not connected" },
  { path: "/operators/machines", heading: "Machines", press: "Join a machine", text: "Name of the machine" },
  { path: "/services/new", heading: "New Service", press: "From a Repository", text: "Deploy on push" },
  { path: "/services/$emptyId", heading: "empty", text: "Nothing runs here yet" },
  { path: "/services/$builtId", heading: "built", text: "Build and Log" },
  { path: "/services/$builtId/source", heading: "built", text: "Save Source" },
  { path: "/services/$builtId/builds", heading: "built", text: "Waiting" },
];

/** They show nothing and lead to a page above. */
const REDIRECTS = ["/", "/settings/task-hisotry"];

/** Paths that a route declares, below another or not, and that the pages above leave out. */
export function undeclaredPaths(): readonly string[] {
  const routes = readFileSync(inRepository("console", "src", "router.tsx"), "utf8");
  const declared = [...routes.matchAll(/path: "([^"]+)"/g)].map(([, path = ""]) => path);
  if (declared.length < PAGES.length) throw new Error("the routes of the console are not declared as expected");
  const known = [...PAGES.map(({ path }) => path), ...REDIRECTS];
  return declared.filter((path) => !known.some((one) => one.endsWith(path)));
}
