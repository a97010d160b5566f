import { Command } from "commander";
import { retryBuild } from "../api/builds.ts";
import { awaitBuild } from "../builds/await-build.ts";
import { findBuildId } from "../builds/find-build.ts";
import type { Context } from "../context/context.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { BUILD_ARGUMENT } from "./build-argument.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

interface Options extends ServiceOption {
  readonly cache: boolean;
}

/** `elastic build retry`: another build of the same source. */
export function buildRetry(context: Context): Command {
  return withOutput(withService(new Command("retry")))
    .description("build the source of an earlier build on the fleet again")
    .argument("<build>", BUILD_ARGUMENT)
    .option("--no-cache", "run every step, and take no earlier image")
    .addHelpText("after", examples("elastic build retry <build_id>", "elastic build retry <build_id> --no-cache"))
    .action(async (given: string, { cache, ...service }: Options) => {
      const caller = await openSession(context);
      const buildId = await findBuildId(caller, given, () => chosenServiceId(context, caller, service));
      const build = await awaitBuild(context, caller, await retryBuild(caller, buildId, !cache));
      context.printer.result({ json: build, text: `Built ${printableLine(build.image ?? "")}.` });
    });
}
