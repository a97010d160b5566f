import { Command } from "commander";
import { deleteVolume } from "../api/volumes.ts";
import type { Context } from "../context/context.ts";
import { findVolumeId } from "../data/find-volume.ts";
import { printableLine } from "../output/printable.ts";
import { assertConfirmed } from "../prompts/confirm.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { notEmpty } from "./not-empty.ts";
import { withOutput } from "./output-options.ts";

/** `elastic data delete`: not while a deployment has it. */
export function dataDelete(context: Context): Command {
  return withOutput(new Command("delete"))
    .description("delete a data volume; refused while a deployment has it")
    .argument("<volume>", "its name, or its id as `elastic data ls` shows it", notEmpty("volume"))
    .option("--yes", "skip the confirmation")
    .addHelpText("after", examples("elastic data delete keys", "elastic data delete <volume_id> --yes"))
    .action(async (given: string, options: { readonly yes?: boolean }) => {
      const caller = await openSession(context);
      const id = await findVolumeId(caller, given);
      if (!options.yes) await assertConfirmed(context, `Delete the data volume ${printableLine(given)} (${id})?`);
      await deleteVolume(caller, id);
      context.printer.result({ json: { volume_id: id, deleted: true }, text: `Deleted ${printableLine(given)}.` });
    });
}
