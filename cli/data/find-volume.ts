/** Which volume a person means: by its id, or by its name, of which the newest counts. */
import type { Caller } from "../api/caller.ts";
import { listVolumes } from "../api/volumes.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { chooseId, isPartOfId } from "../ids/choose-id.ts";

const ID = /^[0-9a-f]{32}$/;

/** A complete id is returned without a request. Throws a CliError where the team has no such volume. */
export async function findVolumeId(caller: Caller, given: string): Promise<string> {
  if (ID.test(given)) return given;
  const volumes = await listVolumes(caller);
  const named = volumes.find(({ name }) => name === given);
  if (named !== undefined) return named.volume_id;
  const known = volumes.map(({ volume_id: id }) => id);
  const chosen = isPartOfId(given) ? chooseId("volume", given, known) : given;
  if (ID.test(chosen)) return chosen;
  throw new CliError(`The team has no data volume named ${given}.`, {
    exitCode: EXIT.notFound,
    code: "not_found",
    next: "See `elastic data ls`, or make one with `elastic data upload <dir>`.",
  });
}
