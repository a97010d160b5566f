import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { dataDelete } from "./data-delete.ts";
import { dataLs } from "./data-ls.ts";
import { dataUpload } from "./data-upload.ts";
import { examples } from "./examples.ts";

/** `elastic data …` */
export function dataGroup(context: Context): Command {
  return new Command("data")
    .description("files that provers see at /data, such as proving keys")
    .addCommand(dataUpload(context))
    .addCommand(dataLs(context))
    .addCommand(dataDelete(context))
    .addHelpText("after", examples("elastic data upload keys/", "elastic deploy --data keys", "elastic data ls"));
}
