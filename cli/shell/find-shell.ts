/** Which shell a person means: by its id, or by its name, of which the newest counts. */
import type { Caller } from "../api/client.ts";
import type { ShellRecord } from "../api/records.ts";
import { listShells } from "../api/shells.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";

/** As the list has it: without its password. */
export async function findShell(caller: Caller, given: string): Promise<ShellRecord> {
  const shells = await listShells(caller);
  const found =
    shells.find(({ shell_id: id }) => id === given) ?? shells.find(({ shell_name: name }) => name === given);
  if (found !== undefined) return found;
  throw new CliError(`The team has no shell ${given}.`, {
    exitCode: EXIT.notFound,
    code: "not_found",
    next: "See `elastic shell list`, or make one with `elastic shell create`.",
  });
}
