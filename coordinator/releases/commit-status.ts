/** What a source host shows at the commit of a build: words of our own alone, since many more may read them than a team's. Pure. */
import type { Build } from "../domain/build.ts";
import { commitState, type Release } from "../domain/release.ts";
import type { CommitStatus } from "../source-hosts/source-host.ts";

/** `publicUrl` is null where this service has no public address. */
export function commitStatus(
  build: Pick<Build, "id" | "serviceId">,
  release: Release,
  { serviceName, publicUrl }: { readonly serviceName: string; readonly publicUrl: string | null },
): CommitStatus {
  return {
    state: commitState(release),
    targetUrl: publicUrl === null ? null : `${publicUrl}/services/${build.serviceId}/builds/${build.id}`,
    description: descriptionOf(release),
    // Names are unique within a team only, and two teams may build from one repository.
    context: `elastic/${serviceName}-${build.serviceId.slice(-8)}`,
  };
}

function descriptionOf({ state }: Release): string {
  switch (state.kind) {
    case "waiting":
      return "Building";
    case "deploying":
      return "Deploying";
    case "released":
      return "Deployed";
    case "failed":
      return state.deploymentId === null
        ? "Not deployed: see the build"
        : "The deployment failed: what served still does";
    case "superseded":
      return "Superseded by a newer commit or deployment";
  }
}
