import { resolve } from "node:path";
import { Command } from "commander";
import type { Caller } from "../api/client.ts";
import { isExposed, parseServerAddress } from "../api/server-address.ts";
import { listTeams } from "../api/teams.ts";
import { DEFAULT_URL } from "../config.ts";
import type { Context } from "../context.ts";
import { usageError } from "../errors/cli-error.ts";
import { printableLine } from "../output/printable.ts";
import { askSecret } from "../prompts/ask.ts";
import { askTeam } from "../prompts/ask-team.ts";
import { readAuthorities } from "../session/authorities.ts";
import { credentialsPath, saveCredentials } from "../session/credentials-file.ts";
import { pickTeam } from "../session/find-team.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

interface Options {
  readonly url?: string;
  readonly apiKey?: string;
  readonly team?: string;
  readonly caFile?: string;
}

/** `elastic login`: asks for an API key, then for the active team, and keeps both. */
export function login(context: Context): Command {
  return withOutput(new Command("login"))
    .description("log in: asks for an API key, then for the active team")
    .option("--url <address>", `base address of the service (default: $ELASTIC_URL, else ${DEFAULT_URL})`)
    .option("--api-key <key>", "API key (default: $ELASTIC_API_KEY, else asked for)")
    .option("--team <name or id>", "active team (default: $ELASTIC_TEAM, else asked for)")
    .option("--ca-file <path>", "certificates of a private authority (default: $ELASTIC_CA_FILE)")
    .addHelpText(
      "after",
      examples(
        "elastic login",
        "elastic login --url https://proving.example.com --team research",
        'ELASTIC_API_KEY="$KEY" elastic login --team research   # keeps the key out of the process list',
      ),
    )
    .action(async (options: Options) => {
      const { settings, printer, signal } = context;
      const url = parseServerAddress(options.url ?? settings.url ?? DEFAULT_URL);
      if (isExposed(url)) printer.note(`Warning: ${url} is not encrypted; the API key can be read on the way.`);
      const given = options.apiKey ?? settings.apiKey;
      const apiKey = given ?? (await askSecret(context, "API key", "--api-key or ELASTIC_API_KEY"));
      assertHeaderValue(apiKey);

      // The list of teams also proves the key before anything is kept.
      const caFile = absolute(options.caFile ?? settings.caFile);
      const caller: Caller = { url, apiKey, teamId: undefined, ca: await readAuthorities(caFile), signal };
      const teams = await listTeams(caller);
      const named = options.team ?? settings.team;
      const team =
        named === undefined ? await askTeam(context, teams, { insteadOf: "--team" }) : pickTeam(teams, named);

      await saveCredentials(settings.configDir, {
        url,
        apiKey,
        ...(caFile === undefined ? {} : { caFile }),
        team: { id: team.team_id, name: team.name },
      });
      printer.result({
        json: { url, team_id: team.team_id, team_name: team.name, credentials: credentialsPath(settings.configDir) },
        text: `Logged in to ${url}; the active team is ${printableLine(team.name)}.`,
      });
    });
}

/** It is found again from any directory. */
function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

/** What is not a header value would fail inside fetch, with a message that quotes the key. */
function assertHeaderValue(apiKey: string): void {
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw usageError("The API key has characters that no key has.", "Copy it again.");
}
