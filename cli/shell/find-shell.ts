/** Which shell a person means: by its id or a part of it, or by its name where only one shell of the team has it. */
import type { Caller } from "../api/caller.ts";
import type { ShellRecord } from "../api/records.ts";
import { listShells } from "../api/shells.ts";
import { CliError, usageError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { chooseId, isPartOfId } from "../ids/choose-id.ts";

/** As the list has it: without its password. */
export async function findShell(caller: Caller, given: string): Promise<ShellRecord> {
  return chooseShell(await listShells(caller), given);
}

/** Of `shells`, the newest first. Throws where several are meant: names are free, and a shell deleted by mistake is gone. */
export function chooseShell<Shell extends Pick<ShellRecord, "shell_id" | "shell_name">>(
  shells: readonly Shell[],
  given: string,
): Shell {
  const byId = shells.find(({ shell_id: id }) => id === given);
  if (byId !== undefined) return byId;
  const [found, ...others] = shells.filter(({ shell_name: name }) => name === given);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const ids = [found, ...others].map(({ shell_id: id }) => id).join(", ");
    throw usageError(`${others.length + 1} shells of the team are called ${given}.`, `Give one's id: ${ids}.`);
  }
  const known = shells.map(({ shell_id: id }) => id);
  const chosen = isPartOfId(given) ? chooseId("shell", given, known) : given;
  const byPart = shells.find(({ shell_id: id }) => id === chosen);
  if (byPart !== undefined) return byPart;
  throw new CliError(`The team has no shell ${given}.`, {
    exitCode: EXIT.notFound,
    code: "not_found",
    next: "See `elastic shell list`, or make one with `elastic shell create`.",
  });
}
