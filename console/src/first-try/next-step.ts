/**
 * What comes next from a name to a service that is built from a new repository. It depends on what exists already, so that
 * a first try that stopped half-way resumes where it stopped and makes nothing twice. Pure.
 */
import type { components } from "elastic-client/gen/schema.ts";
import type { ServiceSource, SourceRepository } from "../sources/sources-query.ts";

type Service = components["schemas"]["Service"];

export interface Facts {
  /** That of the name in the team. */
  readonly service: Pick<Service, "service_id" | "image" | "state" | "next_deployment_id"> | null;
  readonly source: ServiceSource | null;
  readonly hasBuild: boolean;
  /** That it is built from; null where it is still to be created. */
  readonly repository: SourceRepository | null;
}

export type Step =
  /** The service of that name runs something, or is built from another source. */
  "name_in_use" | "create_repository" | "create_service" | "set_source" | "start_build" | "done";

export function nextStep({ service, source, hasBuild, repository }: Facts): Step {
  if (service !== null) {
    if (!isEmpty(service) || (hasBuild && source === null)) return "name_in_use";
    if (source !== null) return hasBuild ? "done" : "start_build";
  }
  if (repository === null) return "create_repository";
  return service === null ? "create_service" : "set_source";
}

/** Nothing was ever deployed to it, or is coming up. */
export function isEmpty({ image, state, next_deployment_id: next }: NonNullable<Facts["service"]>): boolean {
  return image === null && state === "Unready" && next === null;
}
