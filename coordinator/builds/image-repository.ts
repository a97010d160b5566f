/** Where the images of a service go: named as the command line names it for images that it pushes. */
import type { Service } from "../domain/service.ts";
import { repositoryPrefix } from "../registry/team-repository.ts";

/** Of a name in a registry (OCI distribution specification 1.1). */
const COMPONENT = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;

/** `<host>/<repository>`, in the registry at that host. */
export function imageRepository(host: string, { teamId, name, id }: Pick<Service, "teamId" | "name" | "id">): string {
  return `${host}/${repositoryPrefix(teamId)}${COMPONENT.test(name) ? name : id}`;
}
