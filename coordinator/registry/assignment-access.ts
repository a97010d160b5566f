/**
 * What a node may do in the registry for one of its assignments, while the assignment stands: pull the images of its
 * deployment or of its shell; for a build pull base images, and push to the build's repository.
 */
import type { Assignment } from "../domain/assignment.ts";
import { type Deployment, imagesOf } from "../domain/deployment.ts";
import type { Store } from "../store/store.ts";
import type { OwnRegistry } from "./own-registry.ts";
import { type Access, allowedOf } from "./scope.ts";
import { isOfSite, teamOfRepository } from "./team-repository.ts";

export interface AssignmentImages {
  readonly assignment: Assignment;
  /** Those that are in the registry; the prover's image first. */
  readonly repositories: readonly string[];
  /** The team whose images a build may begin from; null for what is no build. */
  readonly builderTeamId: string | null;
}

/** Null once the assignment has ended. Read from the store: what ended a moment ago gives no right any more. */
export async function imagesOfAssignment(
  store: Pick<Store, "get">,
  registry: Pick<OwnRegistry, "repositoryOf">,
  assignmentId: string,
): Promise<AssignmentImages | null> {
  const assignment = (await store.get("assignments", assignmentId))?.value;
  if (assignment === undefined) return null;
  if (assignment.workload.kind === "build") {
    const build = (await store.get("builds", assignment.workload.buildId))?.value;
    const repository = build === undefined ? null : registry.repositoryOf(build.repository);
    const repositories = repository === null ? [] : [repository];
    return { assignment, repositories, builderTeamId: assignment.teamId };
  }
  if (assignment.workload.kind === "shell") {
    const shell = (await store.get("shells", assignment.workload.shellId))?.value;
    const repository = shell === undefined ? null : registry.repositoryOf(shell.image);
    return { assignment, repositories: repository === null ? [] : [repository], builderTeamId: null };
  }
  const deployment = (await store.get("deployments", assignment.workload.deploymentId))?.value;
  const repositories = deployment === undefined ? [] : repositoriesOf(registry, deployment);
  return { assignment, repositories, builderTeamId: null };
}

export function assignmentAccess(images: AssignmentImages, requested: readonly Access[]): readonly Access[] {
  const { repositories, builderTeamId } = images;
  return allowedOf(requested, (repository, action) => {
    if (repositories.includes(repository)) return action === "pull" || builderTeamId !== null;
    if (action !== "pull" || builderTeamId === null) return false;
    return isOfSite(repository) || teamOfRepository(repository) === builderTeamId;
  });
}

function repositoriesOf(registry: Pick<OwnRegistry, "repositoryOf">, deployment: Deployment): readonly string[] {
  return imagesOf(deployment).flatMap((image) => registry.repositoryOf(image) ?? []);
}
