/** What a source host shows at the commit of a build. Pure. */
import type { Build } from "../domain/build.ts";
import { commitState, type Release } from "../domain/release.ts";
import type { CommitStatus } from "../source-hosts/source-host.ts";

/** `publicUrl` is null where this service has no address of its own. */
export function commitStatus(
  build: Pick<Build, "id" | "serviceId">,
  release: Release,
  { serviceName, publicUrl }: { readonly serviceName: string; readonly publicUrl: string | null },
): CommitStatus {
  return {
    state: commitState(release),
    targetUrl: publicUrl === null ? null : `${publicUrl}/services/${build.serviceId}/builds/${build.id}`,
    description: descriptionOf(release),
    context: `elastic/${serviceName}`,
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
    case "superseded":
      return state.message.slice(0, 1).toUpperCase() + state.message.slice(1);
  }
}
