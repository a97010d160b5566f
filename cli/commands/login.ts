import { resolve } from "node:path";
import { Command, Option } from "commander";
import type { Caller } from "../api/caller.ts";
import { parseServerAddress } from "../api/server-address.ts";
import { listTeams } from "../api/teams.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { printableLine } from "../output/printable.ts";
import { chooseTeam } from "../prompts/choose-team.ts";
import { promptSecret, promptText } from "../prompts/prompt.ts";
import { assertApiKey } from "../session/api-key.ts";
import { readAuthorities } from "../session/authorities.ts";
import { assertConfidential } from "../session/confidential.ts";
import { credentialsPath, loadCredentials, saveCredentials } from "../session/credentials-file.ts";
import { pickTeam } from "../session/find-team.ts";
import { webLogin } from "../session/web-login.ts";
import { examples } from "./examples.ts";
import { withOutput } from "./output-options.ts";

interface Options {
  readonly url?: string;
  readonly apiKey?: string;
  readonly team?: string;
  readonly caFile?: string;
  readonly web?: true;
}

/** `elastic login`: prompts for an API key, or has one confirmed in a browser, then for the active team; stores both. */
export function login(context: Context): Command {
  return withOutput(new Command("login"))
    .description("log in: prompts for an API key, then for the active team")
    .option(
      "--url <address>",
      "base address of the service (default: $ELASTIC_URL, else the last login's, else a prompt)",
    )
    .option("--api-key <key>", "API key (default: $ELASTIC_API_KEY, else a prompt)")
    .addOption(new Option("--web", "log in with a browser, and get a new API key from there").conflicts("apiKey"))
    .option("--team <name or id>", "active team (default: $ELASTIC_TEAM, else a prompt)")
    .option("--ca-file <path>", "certificates of a private authority (default: $ELASTIC_CA_FILE)")
    .addHelpText(
      "after",
      examples(
        "elastic login",
        "elastic login --web",
        "elastic login --url https://proving.example.com --team research",
        'ELASTIC_API_KEY="$KEY" elastic login --team research   # keeps the key out of the process list',
      ),
    )
    .action(async (options: Options) => {
      const { settings, printer, signal } = context;
      const url = parseServerAddress(options.url ?? settings.url ?? (await usualAddress(context)));
      assertConfidential(url, settings);
      const caFile = absolute(options.caFile ?? settings.caFile);
      const reached = { url, teamId: undefined, ca: await readAuthorities(caFile), signal };
      const apiKey = options.web
        ? await webLogin(context, { ...reached, apiKey: null })
        : await keyFor(context, options, url);

      // The list of teams also proves the key before anything is stored.
      const caller: Caller = { ...reached, apiKey };
      const teams = await listTeams(caller).catch((error: unknown) => {
        throw refusedBy(url, error);
      });
      const named = options.team ?? settings.team;
      const team =
        named === undefined ? await chooseTeam(context, teams, { insteadOf: "--team" }) : pickTeam(teams, named);

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

/** The key that the user gives. */
async function keyFor(context: Context, options: Options, url: string): Promise<string> {
  const given = options.apiKey ?? context.settings.apiKey;
  const apiKey =
    given ?? (await promptSecret(context, `API key for ${url}`, `--api-key or ELASTIC_API_KEY, for ${url}`));
  const isOfEnvironment = options.apiKey === undefined && given !== undefined;
  assertApiKey(apiKey, isOfEnvironment ? "in ELASTIC_API_KEY" : "that you gave");
  return apiKey;
}

/** It is found again from any directory. */
function absolute(path: string | undefined): string | undefined {
  return path === undefined ? undefined : resolve(path);
}

/** A key is sent to an address that somebody has named, now or at the last login. */
async function usualAddress(context: Context): Promise<string> {
  const { configDir } = context.settings;
  // What cannot be read is about to be overwritten.
  const stored = await loadCredentials(configDir).catch(() => null);
  if (stored !== null) return stored.url;
  return await promptText(context, {
    message: "Address of the service",
    example: "https://proving.example.com",
    insteadOf: "the address of the service by --url or ELASTIC_URL",
  });
}

/** Whose refusal it is: a key for one service is often tried at another. */
function refusedBy(url: string, error: unknown): unknown {
  if (!(error instanceof CliError) || error.exitCode !== EXIT.notLoggedIn) return error;
  const { exitCode, code } = error;
  const next = `Give a key of the service at ${url}, or another address by --url.`;
  const requestId = error.requestId === undefined ? {} : { requestId: error.requestId };
  return new CliError(`${url} refused the key: ${error.message}`, { exitCode, code, next, cause: error, ...requestId });
}
