/** Which build a person means: by its id, or in a service by its image tag, the beginning of its id, or as the latest. */
import { listBuilds } from "../api/builds.ts";
import type { Caller } from "../api/caller.ts";
import type { BuildRecord } from "../api/records.ts";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { chooseId, LATEST } from "../ids/choose-id.ts";

const ID = /^[0-9a-f]{32}$/;
/** Ids begin with the time: fewer digits name a stretch of hours. */
const PREFIX = /^[0-9a-f]{8,31}$/;
const CANDIDATES_SHOWN = 10;

type Named = Pick<BuildRecord, "build_id" | "image_tag" | "phase" | "created">;

/** `serviceId` is called only where the builds of a service have to be looked through. */
export async function findBuildId(caller: Caller, given: string, serviceId: () => Promise<string>): Promise<string> {
  if (ID.test(given)) return given;
  return chooseBuild(await listBuilds(caller, await serviceId()), given);
}

/**
 * Of `builds`, the newest first. Pure. A tag that several builds have, as a build and its retry do, names none of them,
 * but `latest` names the newest of those with that tag, else of all.
 */
export function chooseBuild(builds: readonly Named[], given: string): string {
  if (given === LATEST) {
    const tagged = builds.filter(({ image_tag: tag }) => tag === LATEST);
    return chooseId(
      "build",
      LATEST,
      (tagged.length > 0 ? tagged : builds).map(({ build_id: id }) => id),
    );
  }
  const meant = builds.filter(
    ({ build_id: id, image_tag: tag }) => tag === given || (PREFIX.test(given) && id.startsWith(given)),
  );
  const [first, ...others] = meant;
  if (first === undefined) {
    throw new CliError(`The service has no build ${given}.`, {
      exitCode: EXIT.notFound,
      code: "not_found",
      next: "Name one by its id, at least 8 of its first digits, its tag, or latest: `elastic build list` shows them; --service names another service.",
    });
  }
  if (others.length === 0) return first.build_id;
  const shown = meant
    .slice(0, CANDIDATES_SHOWN)
    .map(({ build_id: id, phase, created }) => `${id} (${phase}, ${created})`);
  const more = meant.length > CANDIDATES_SHOWN ? `, and ${meant.length - CANDIDATES_SHOWN} more` : "";
  throw usageError(
    `${given} names ${meant.length} builds of the service.`,
    `Name one by its id: ${shown.join(", ")}${more}.`,
  );
}
