import { Command } from "commander";
import { listServices } from "../api/services.ts";
import type { Context } from "../context/context.ts";
import { findLink } from "../link/service-link.ts";
import { serviceLines } from "../output/service-text.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic service list`: the team's services, newest first, that of the directory marked. */
export function serviceList(context: Context): Command {
  return withOutput(new Command("list"))
    .description("list the team's services, newest first; that of the directory is marked")
    .addHelpText("after", examples("elastic service list", "elastic service list --json"))
    .action(async () => {
      const caller = await openSession(context);
      const services = await listServices(caller);
      const link = (await findLink(context.directory).catch(() => null))?.link;
      const linkedId = link?.url === caller.url ? link.serviceId : null;
      context.printer.result({
        json: services.map((service) => ({ ...service, linked: service.service_id === linkedId })),
        text: services.length === 0 ? "The team has no services." : serviceLines(services, linkedId),
      });
    });
}
