/** `elastic completion <shell>` prints a shell's script; what that asks is the hidden command `complete`. */
import completion from "@bomb.sh/tab/commander";
import type { Command } from "commander";
import { examples } from "../commands/examples.ts";
import { BASH_SCRIPT } from "./bash-script.ts";

const NAME = "completion";

/** Last, since it reads the commands of the program. */
export function addCompletion(program: Command): void {
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
}
