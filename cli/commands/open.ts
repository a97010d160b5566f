import { Command } from "commander";
import { openPage } from "../browser/open-page.ts";
import type { Context } from "../context/context.ts";
import { openSession } from "../session/session.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";
import { chosenServiceId, type ServiceOption, withService } from "./service-option.ts";

interface Options extends ServiceOption {
  readonly browser: boolean;
}

/** `elastic open`: the page of the directory's service in the web console. */
export function open(context: Context): Command {
  return withOutput(withService(new Command("open")))
    .description("open the page of the service in the web console, and print its address")
    .option("--no-browser", "only print it")
    .addHelpText("after", examples("elastic open", "elastic open --service poseidon", "elastic open --no-browser"))
    .action(async ({ browser, ...options }: Options) => {
      const { printer, settings } = context;
      const caller = await openSession(context);
      const url = `${caller.url}/services/${await chosenServiceId(context, caller, options)}`;
      printer.result({ json: { url }, text: url });
      if (browser && !(await openPage(url, settings))) {
        printer.note(
          "There is no program here that opens a browser; set BROWSER to one, or open the address yourself.",
        );
      }
    });
}
