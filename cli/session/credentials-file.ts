/**
 * Where a login is kept: one file that only its owner may read. It is replaced as a whole, so that a
 * crash leaves either the old login or the new one.
 */
import { randomBytes } from "node:crypto";
import { mkdir, open, readFile, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { CliError } from "../errors/cli-error.ts";

export interface Credentials {
  readonly url: string;
  readonly apiKey: string;
  /** Certificates of the private authority that vouches for the service. */
  readonly caFile?: string;
  /** The active team. */
  readonly team: { readonly id: string; readonly name: string };
}

const FILE_NAME = "credentials.json";
const ELSEWHERE = "Make the directory writable, or name another one in ELASTIC_CONFIG_DIR.";
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
    throw new CliError(`${path} is not a credentials file.`, { next: "Run `elastic login` to write it anew." });
  }
  return credentials;
}

export async function saveCredentials(configDir: string, credentials: Credentials): Promise<void> {
  const path = credentialsPath(configDir);
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    await mkdir(configDir, { recursive: true, mode: 0o700 });
    const file = await open(temporary, "wx", 0o600);
    try {
      await file.writeFile(`${JSON.stringify(toJson(credentials), null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (cause) {
    // Where no folder could be made there is nothing to remove either.
    await rm(temporary, { force: true }).catch(() => {});
    throw new CliError(`Could not write ${path}.`, {
      next: ELSEWHERE,
      cause,
    });
  }
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
