/** A container registry on the loopback address, plain HTTP: Debian's docker-registry with a dedicated folder. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Program } from "./program.ts";
import { findProgram } from "./search-path.ts";
import { until } from "./until.ts";

const ANSWER_TIMEOUT_MS = 1000;

/** Whose tokens it demands. */
export interface TokenService {
  /** Where they are had. */
  readonly realm: string;
  readonly service: string;
  readonly issuer: string;
  /** Certificates in PEM, one of which vouches for each token. */
  readonly certificates: string;
}

export interface RegistryPlace {
  readonly folder: string;
  readonly port: number;
  /** Null: anyone may do anything. */
  readonly tokens: TokenService | null;
  /** Whether images can be deleted. */
  readonly deletes?: boolean;
  readonly logFile: string;
  readonly path: string;
}

/** Whether this machine has the program. */
export function hasRegistry(path: string): boolean {
  return findProgram("docker-registry", path) !== null;
}

/** `host:port`, as it stands before an image's name. */
export function registryHost(place: Pick<RegistryPlace, "port">): string {
  return `127.0.0.1:${place.port}`;
}

/** Where the configuration of one is that was started. */
export function registryConfig({ folder }: Pick<RegistryPlace, "folder">): string {
  return join(folder, "config.json");
}

/** Writes the configuration and returns how to start it. */
export function registryProgram(place: RegistryPlace): Program {
  const command = findProgram("docker-registry", place.path);
  if (command === null) throw new Error("no docker-registry on this machine: run deploy/setup.sh");
  mkdirSync(place.folder, { recursive: true });
  const config = registryConfig(place);
  // YAML, of which JSON is a part.
  writeFileSync(
    config,
    JSON.stringify({
      version: 0.1,
      log: { level: "warn", accesslog: { disabled: true } },
      storage: {
        filesystem: { rootdirectory: join(place.folder, "data") },
        delete: { enabled: place.deletes ?? true },
      },
      http: { addr: registryHost(place) },
      ...(place.tokens === null ? {} : { auth: { token: tokenSettings(place.folder, place.tokens) } }),
    }),
  );
  return { name: "registry", command, args: ["serve", config], env: {}, logFile: place.logFile };
}

function tokenSettings(folder: string, { certificates, ...settings }: TokenService): object {
  const rootcertbundle = join(folder, "tokens.pem");
  writeFileSync(rootcertbundle, certificates);
  return { ...settings, rootcertbundle };
}

/** Resolves once it responds, if only that it wants a token. */
export async function registryServes(host: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  await until(
    "the registry serves",
    async () => {
      const answer = await fetch(`http://${host}/v2/`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
      return answer.ok || answer.status === 401 ? true : undefined;
    },
    { timeoutMs, everyMs: 20, signal },
  );
}
