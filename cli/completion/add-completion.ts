/** `elastic completion <shell>` prints a shell's script, which calls the hidden command `complete`. */
import completion from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { examples } from "../commands/examples.ts";
import { linkedService } from "../commands/service-option.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { BASH_SCRIPT } from "./bash-script.ts";
import { listFor, type Offer } from "./offer-values.ts";

const NAME = "completion";

/** The library's flag for: no files. */
const NO_FILES = 4;

/** Last, since it reads the commands of the program. */
export function addCompletion(program: Command, context: Context): void {
  const tab = completion(program, { completionCommandName: NAME });
  program.commands
    .find((command) => command.name() === NAME)
    ?.description("print the script with which a shell completes commands")
    .addHelpText(
      "after",
      examples(
        "source <(elastic completion bash)   # now; as a line in ~/.bashrc for every shell",
        'elastic completion zsh > "$fpath[1]/_elastic"',
        "elastic completion fish > ~/.config/fish/completions/elastic.fish",
      ),
    )
    .action((shell: string) => {
      if (shell === "bash") console.log(BASH_SCRIPT);
      else tab.setup(program.name(), program.name(), shell);
    });
  program.commands
    .find((command) => command.name() === "complete")
    ?.action(async (words: readonly string[]) => {
      const list = listFor(program, words);
      if (list === null) return tab.parse([...words]);
      // Without a login, or a service that responds, there is nothing to offer, and no place for a message.
      const offers = await offersOf(context, list).catch(() => []);
      for (const [value, description] of offers) console.log(`${printableLine(value)}\t${printableLine(description)}`);
      console.log(`:${NO_FILES}`);
    });
}

async function offersOf(context: Context, list: NonNullable<ReturnType<typeof listFor>>): Promise<readonly Offer[]> {
  const caller = await openSession(context);
  return await list(caller, linkedService(context, caller));
}
