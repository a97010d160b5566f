/** Which build the page of a service shows as under way, or as failed. Pure. */
import type { components } from "elastic-client/gen/schema.ts";
import type { Build } from "../builds/builds-query.ts";

type Service = Pick<components["schemas"]["Service"], "current_deployment_id" | "next_deployment_id">;

/**
 * The newest that is to be deployed, until it is deployed or something else was deployed after it. Before the first deployment
 * also one that is built only, so that the page is not empty. `builds` begins with the newest.
 */
export function shownBuild(builds: readonly Build[], service: Service): Build | null {
  const { current_deployment_id: current, next_deployment_id: next } = service;
  const toDeploy = builds.find(({ release }) => release !== null);
  const build = toDeploy ?? (current === null && next === null ? builds[0] : undefined);
  if (build === undefined) return null;
  const { release } = build;
  if (release?.state === "released") return null;
  if (release?.state === "superseded" && (current !== null || next !== null)) return null;
  // Ids sort by the time at which they were made.
  const isOvertaken = [current, next].some((id) => id !== null && id > build.build_id && id !== release?.deployment_id);
  return isOvertaken ? null : build;
}

/** The newest build where its image served already when it was requested; null for any other. */
export function unchangedBuild(builds: readonly Build[], service: Service): Build | null {
  const { current_deployment_id: current, next_deployment_id: next } = service;
  const [newest] = builds;
  if (newest?.release?.state !== "released" || newest.reused_from === null) return null;
  const isServing = current !== null && next === null && newest.release.deployment_id === current;
  return isServing && current < newest.build_id ? newest : null;
}
