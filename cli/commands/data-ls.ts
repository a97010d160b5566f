import { Command } from "commander";
import { listVolumes } from "../api/volumes.ts";
import type { Context } from "../context/context.ts";
import { volumeLines } from "../output/volume-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic data ls`: the team's data volumes, newest first. */
export function dataLs(context: Context): Command {
  return withOutput(new Command("ls").alias("list"))
    .description("list the team's data volumes, newest first")
    .addHelpText("after", examples("elastic data ls", "elastic data ls --json"))
    .action(async () => {
      const volumes = await listVolumes(await openSession(context));
      const text = volumes.length === 0 ? "The team has no data volumes." : volumeLines(volumes);
      context.printer.result({ json: volumes, text });
    });
}
