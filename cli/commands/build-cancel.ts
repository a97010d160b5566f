import { Command } from "commander";
import { cancelBuild } from "../api/builds.ts";
import type { Context } from "../context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic build cancel`: ends a build on the fleet; one that has ended stays as it ended. */
export function buildCancel(context: Context): Command {
  return withOutput(new Command("cancel"))
    .description("cancel a build on the fleet")
    .argument("<build_id>", "id that build --remote printed")
    .addHelpText("after", examples("elastic build cancel <build_id>"))
    .action(async (buildId: string) => {
      const build = await cancelBuild(await openSession(context), buildId);
      context.printer.result({ json: build, text: `Build ${printableLine(build.build_id)} is ${build.phase}.` });
    });
}
