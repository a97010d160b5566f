import { Command } from "commander";
import type { Context } from "../context/context.ts";
import { removeCredentials } from "../session/credentials-file.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

/** `elastic logout`: forgets the key; the other commands are unusable until the next login. */
export function logout(context: Context): Command {
  return withOutput(new Command("logout"))
    .description("log out: forget the API key and the active team")
    .addHelpText("after", examples("elastic logout"))
    .action(async () => {
      const { settings, printer } = context;
      const removed = await removeCredentials(settings.configDir);
      printer.result({ json: { logged_out: removed }, text: removed ? "Logged out." : "You were not logged in." });
      if (settings.apiKey !== undefined) printer.note("ELASTIC_API_KEY is still set and still used.");
    });
}
