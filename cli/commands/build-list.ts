import { Command } from "commander";
import { listBuilds } from "../api/builds.ts";
import type { Context } from "../context/context.ts";
import { buildLines } from "../output/build-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, serviceFlag, withService } from "./service-option.ts";

/** `elastic build list`: builds in the service, newest first. */
export function buildList(context: Context): Command {
  return withOutput(withService(new Command("list")))
    .description("list the service's builds on the fleet, newest first")
    .addHelpText("after", examples("elastic build list", "elastic build list --service <service_id> --json"))
    .action(async (options: ServiceOption) => {
      const caller = await openSession(context);
      const builds = await listBuilds(caller, await chosenServiceId(context, caller, options));
      const none = builds.length === 0;
      context.printer.result({
        json: builds,
        text: none ? "The service has no builds." : buildLines(builds, Date.now()),
      });
      if (none)
        context.printer.note(
          `Next: \`elastic build --remote${serviceFlag(options)}\` builds this folder on the fleet.`,
        );
    });
}
