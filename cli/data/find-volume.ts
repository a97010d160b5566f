/** Which volume a person means: by its id, or by its name, of which the newest counts. */
import type { Caller } from "../api/client.ts";
import { listVolumes } from "../api/volumes.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

const ID = /^[0-9a-f]{32}$/;

export async function findVolumeId(caller: Caller, given: string): Promise<string> {
  if (ID.test(given)) return given;
  const named = (await listVolumes(caller)).find(({ name }) => name === given);
  if (named !== undefined) return named.volume_id;
  throw new CliError(`The team has no data volume named ${given}.`, {
    exitCode: EXIT.notFound,
    code: "not_found",
    next: "See `elastic data ls`, or make one with `elastic data upload <dir>`.",
  });
}
