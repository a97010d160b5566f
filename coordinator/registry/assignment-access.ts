/** What a node may pull for one of its assignments, while the assignment stands: the images of its deployment, or of its shell. */
import type { Assignment } from "../domain/assignment.ts";
import { type Deployment, imagesOf } from "../domain/deployment.ts";
import type { Store } from "../store/store.ts";
import type { OwnRegistry } from "./own-registry.ts";
import { type Access, allowedOf } from "./scope.ts";

export interface AssignmentImages {
  readonly assignment: Assignment;
  /** Those that lie in the registry; the prover's image first. */
  readonly repositories: readonly string[];
}

/** Null once the assignment has ended. Read from the store: what ended a moment ago gives no right any more. */
export async function imagesOfAssignment(
  store: Pick<Store, "get">,
  registry: Pick<OwnRegistry, "repositoryOf">,
  assignmentId: string,
): Promise<AssignmentImages | null> {
  const assignment = (await store.get("assignments", assignmentId))?.value;
  if (assignment === undefined) return null;
  if (assignment.workload.kind === "shell") {
    const shell = (await store.get("shells", assignment.workload.shellId))?.value;
    const repository = shell === undefined ? null : registry.repositoryOf(shell.image);
    return { assignment, repositories: repository === null ? [] : [repository] };
  }
  const deployment = (await store.get("deployments", assignment.workload.deploymentId))?.value;
  return { assignment, repositories: deployment === undefined ? [] : repositoriesOf(registry, deployment) };
}

export function assignmentAccess({ repositories }: AssignmentImages, asked: readonly Access[]): readonly Access[] {
  return allowedOf(asked, (repository, action) => action === "pull" && repositories.includes(repository));
}

function repositoriesOf(registry: Pick<OwnRegistry, "repositoryOf">, deployment: Deployment): readonly string[] {
  return imagesOf(deployment).flatMap((image) => registry.repositoryOf(image) ?? []);
}
