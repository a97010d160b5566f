import { Command } from "commander";
import { findBuildId } from "../builds/find-build.ts";
import { writeBuildLog } from "../builds/write-build-log.ts";
import type { Context } from "../context/context.ts";
import { printableStream } from "../output/printable-stream.ts";
import { openSession } from "../session/session.ts";
import { BUILD_ARGUMENT } from "./build-argument.ts";
import { examples } from "./examples.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

interface Options extends ServiceOption {
  readonly follow?: boolean;
  readonly raw?: boolean;
}

/** `elastic build logs`: what a build on the fleet wrote, and with `--follow` what it writes. */
export function buildLogs(context: Context): Command {
  return withService(new Command("logs"))
    .description("print what a build on the fleet wrote")
    .argument("<build>", BUILD_ARGUMENT)
    .option("-f, --follow", "follow the log until the build has ended")
    .option("--raw", "print every byte as it is, also what a terminal acts upon")
    .addHelpText("after", examples("elastic build logs <build_id>", "elastic build logs <build_id> --follow"))
    .action(async (given: string, { follow = false, raw = false, ...service }: Options) => {
      const { printer } = context;
      const caller = await openSession(context);
      const buildId = await findBuildId(caller, given, () => chosenServiceId(context, caller, service));
      const text = printableStream();
      const flush = () => printer.stream(text.end());
      await writeBuildLog(context, caller, {
        buildId,
        follow,
        write: (bytes) => printer.stream(raw ? bytes : text.take(bytes)),
        onRun: async (run) => {
          await flush();
          printer.note(`Its machine was lost; run ${run}:`);
        },
      }).finally(flush);
    });
}
