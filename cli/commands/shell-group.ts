import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { examples } from "./examples.ts";
import { shellConnect } from "./shell-connect.ts";
import { shellCp } from "./shell-cp.ts";
import { shellCreate } from "./shell-create.ts";
import { shellDelete } from "./shell-delete.ts";
import { shellInfo } from "./shell-info.ts";
import { shellKeyGroup } from "./shell-key-group.ts";
import { shellList } from "./shell-list.ts";
import { shellSshConfig } from "./shell-ssh-config.ts";
import { shellStart } from "./shell-start.ts";
import { shellStop } from "./shell-stop.ts";

/** `elastic shell …` */
export function shellGroup(context: Context): Command {
  return new Command("shell")
    .description("containers with a GPU, to log into")
    .addCommand(shellCreate(context))
    .addCommand(shellInfo(context))
    .addCommand(shellConnect(context))
    .addCommand(shellList(context))
    .addCommand(shellStop(context))
    .addCommand(shellStart(context))
    .addCommand(shellCp(context))
    .addCommand(shellSshConfig(context))
    .addCommand(shellKeyGroup(context))
    .addCommand(shellDelete(context))
    .addHelpText(
      "after",
      examples("elastic shell create", "elastic shell connect <shell_id>", "elastic shell stop lab"),
    );
}
