/** Where a login is stored: one file that only its owner may read. */
import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../errors/cli-error.ts";
import { ELSEWHERE, writePrivateFile } from "./private-file.ts";

export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
  /** Certificates of the private authority that vouches for the service. */
  readonly caFile?: string;
  /** The active team. */
  readonly team: { readonly id: string; readonly name: string };
}

const FILE_NAME = "credentials.json";
const GROUP_AND_WORLD = 0o077;

export function credentialsPath(configDir: string): string {
  return join(configDir, FILE_NAME);
}

/** The stored login, or null when there is none. Refuses a file that others may read. */
export async function loadCredentials(configDir: string): Promise<Credentials | null> {
  const path = credentialsPath(configDir);
  const text = await readPrivate(path);
  if (text === null) return null;
  const credentials = parse(text);
  if (credentials === null) {
    throw new CliError(`${path} is not a credentials file.`, { next: "Run `elastic login` to overwrite it." });
  }
  return credentials;
}

/** Replaces the file atomically, with mode 600. Throws a CliError where it cannot be written. */
export async function saveCredentials(configDir: string, credentials: Credentials): Promise<void> {
  await writePrivateFile(credentialsPath(configDir), `${JSON.stringify(toJson(credentials), null, 2)}\n`);
}

/** Whether there was a login to remove. */
export async function removeCredentials(configDir: string): Promise<boolean> {
  try {
    await rm(credentialsPath(configDir));
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw unusable(configDir, error);
  }
}

async function readPrivate(path: string): Promise<string | null> {
  try {
    const { mode } = await stat(path);
    if (process.platform !== "win32" && (mode & GROUP_AND_WORLD) !== 0) {
      throw new CliError(`${path} may be read or written by other users.`, {
        next: `Run \`chmod 600 ${path}\`, and replace the API key if somebody else may have seen it.`,
      });
    }
    return await readFile(path, "utf8");
  } catch (error) {
    if (isMissing(error)) return null;
    throw unusable(path, error);
  }
}

/** Such as below a file, or in another user's folder. */
function unusable(path: string, cause: unknown): unknown {
  if (cause instanceof CliError || !(cause instanceof Error && "code" in cause)) return cause;
  const why = cause.code === "ENOTDIR" ? "what should be its directory is a file" : cause.message;
  return new CliError(`${path} cannot be used: ${why}.`, { code: "no_credentials_file", next: ELSEWHERE, cause });
}

function toJson(credentials: Credentials): object {
  const { url, apiKey, caFile, team } = credentials;
  return { url, api_key: apiKey, ca_file: caFile, team: { team_id: team.id, name: team.name } };
}

function parse(text: string): Credentials | null {
  try {
    const { url, api_key: apiKey, ca_file: caFile, team } = JSON.parse(text);
    const texts = [url, apiKey, team.team_id, team.name];
    if (!texts.every((value) => typeof value === "string")) return null;
    const ca = typeof caFile === "string" ? { caFile } : {};
    return { url, apiKey, ...ca, team: { id: team.team_id, name: team.name } };
  } catch {
    return null;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}
