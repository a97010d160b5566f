import { Command } from "commander";
import { cancelBuild, getBuild } from "../api/builds.ts";
import type { BuildRecord } from "../api/records.ts";
import { findBuildId } from "../builds/find-build.ts";
import type { Context } from "../context/context.ts";
import { isOpenBuild } from "../output/build-text.ts";
import { printableLine } from "../output/printable.ts";
import { openSession } from "../session/session.ts";
import { BUILD_ARGUMENT } from "./build-argument.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

/** `elastic build cancel`: ends a build on the fleet; one that has ended stays as it ended. */
export function buildCancel(context: Context): Command {
  return withOutput(withService(new Command("cancel")))
    .description("cancel a build on the fleet")
    .argument("<build>", BUILD_ARGUMENT)
    .addHelpText("after", examples("elastic build cancel <build_id>", "elastic build cancel build-3f0c9a51e27b"))
    .action(async (given: string, options: ServiceOption) => {
      const caller = await openSession(context);
      const buildId = await findBuildId(caller, given, () => chosenServiceId(context, caller, options));
      const before = await getBuild(caller, buildId);
      const build = isOpenBuild(before) ? await cancelBuild(caller, buildId) : before;
      const isCancelled = build !== before && build.phase === "cancelled";
      context.printer.result({
        json: build,
        text: isCancelled ? `Build ${idOf(build)} is cancelled.` : endedText(build),
      });
    });
}

function endedText(build: BuildRecord): string {
  const { phase, failure, finished } = build;
  const how =
    failure === null ? phase : `${phase}, ${printableLine(`${failure.reason}: ${failure.message}`).replace(/\.$/, "")}`;
  return `Build ${idOf(build)} had ended already${finished === null ? "" : ` at ${finished}`}: ${how}.`;
}

function idOf({ build_id: id }: BuildRecord): string {
  return printableLine(id);
}
