/** Who the user is for this command: from the environment, else from the stored login. */
import type { Caller } from "../api/caller.ts";
import { parseServerAddress } from "../api/server-address.ts";
import type { Context } from "../context/context.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-code.ts";
import { assertApiKey } from "./api-key.ts";
import { readAuthorities } from "./authorities.ts";
import { assertConfidential } from "./confidential.ts";
import { type Credentials, loadCredentials } from "./credentials-file.ts";
import { findTeam } from "./find-team.ts";

/**
 * The caller of every command but `login`. A stored key is only sent to the address that it was given for;
 * a key from the environment is sent to ELASTIC_URL, else to the stored address.
 */
export async function openSession(context: Pick<Context, "settings" | "signal">): Promise<Caller> {
  const { settings, signal } = context;
  const stored = await loadCredentials(settings.configDir);
  const url = settings.url === undefined ? stored?.url : parseServerAddress(settings.url);
  if (url === undefined) throw noAddress(settings.apiKey !== undefined);
  const login = stored?.url === url ? stored : null;
  const apiKey = settings.apiKey ?? login?.apiKey;
  if (apiKey === undefined) throw notLoggedIn(url, stored);
  assertConfidential(url, settings);
  assertApiKey(apiKey, settings.apiKey === undefined ? `in ${settings.configDir}` : "in ELASTIC_API_KEY");
  const ca = await readAuthorities(settings.caFile ?? login?.caFile);
  const caller: Caller = { url, apiKey, teamId: undefined, ca, signal };
  if (settings.team !== undefined) return { ...caller, teamId: (await findTeam(caller, settings.team)).team_id };
  // The stored team was chosen for the stored key.
  return { ...caller, teamId: settings.apiKey === undefined ? login?.team.id : undefined };
}

/** A key without an address is sent nowhere: what listens on this machine may be anybody's program. */
function noAddress(hasKey: boolean): CliError {
  const [message, next] = hasKey
    ? [
        "ELASTIC_API_KEY is set, but ELASTIC_URL is not.",
        "Set it to the address of the service, or run `elastic login`.",
      ]
    : ["You are not logged in.", "Run `elastic login --url <address>`, or set ELASTIC_URL and ELASTIC_API_KEY."];
  return new CliError(message, { exitCode: EXIT.notLoggedIn, code: "not_logged_in", next });
}

function notLoggedIn(url: string, stored: Credentials | null): CliError {
  const message = stored === null ? "You are not logged in." : `You are logged in to ${stored.url}, not to ${url}.`;
  const next = `Run \`elastic login --url ${url}\`, or set ELASTIC_API_KEY.`;
  return new CliError(message, { exitCode: EXIT.notLoggedIn, code: "not_logged_in", next });
}
