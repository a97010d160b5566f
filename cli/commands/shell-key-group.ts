import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { examples } from "./examples.ts";
import { shellKeyAdd } from "./shell-key-add.ts";
import { shellKeyList } from "./shell-key-list.ts";
import { shellKeyRemove } from "./shell-key-remove.ts";

/** `elastic shell key …` */
export function shellKeyGroup(context: Context): Command {
  return new Command("key")
    .description("public keys, to log into shells without their passwords")
    .addCommand(shellKeyAdd(context))
    .addCommand(shellKeyList(context))
    .addCommand(shellKeyRemove(context))
    .addHelpText("after", examples("elastic shell key add", "elastic shell key list"));
}
