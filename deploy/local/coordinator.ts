/** How a coordinator is started on this machine, and how a store gets its first user, team and key. */
import { execFile } from "node:child_process";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import type { CertificateFiles } from "../dev-ca.ts";
import { SERVICE_NODE_OPTION } from "../node-options.ts";
import type { Child } from "./child.ts";
import { COMPILE_CACHE } from "./compile-cache.ts";
import { hostOf, lineWithMessage } from "./json-line.ts";
import type { Program } from "./program.ts";
import type { TokenService } from "./registry.ts";
import { inRepository } from "./repository.ts";

const MAIN = inRepository("coordinator", "main.ts");
const COMMAND_TIMEOUT_MS = 30_000;

export interface CoordinatorPlace {
  readonly name: string;
  readonly etcd: readonly string[];
  /** Each 0 for one that the kernel chooses. */
  readonly ports: { readonly http: number; readonly grpc: number; readonly metrics: number };
  /** Shared by all coordinators of a store. Next to it is the archive, unless the settings name another. */
  readonly blobsDir: string;
  /** Shared by all coordinators of a store; made by the first. */
  readonly secretsKeyFile: string;
  /** Null for a coordinator with its own authority. */
  readonly tls: CertificateFiles | null;
  /** The service's own registry, on loopback and without TLS: `host:port`, or null for none. */
  readonly registryHost: string | null;
  readonly logFile: string;
  readonly path: string;
  /** Further settings, such as `ELASTIC_BUILTIN_TEST_PROVERS`. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** Where its files are, which its commands need too. */
export function fileSettings({
  blobsDir,
  secretsKeyFile,
}: Pick<CoordinatorPlace, "blobsDir" | "secretsKeyFile">): Readonly<Record<string, string>> {
  return {
    ELASTIC_BLOBS_DIR: blobsDir,
    ELASTIC_ARCHIVE: `sqlite:${join(dirname(blobsDir), "archive.db")}`,
    ELASTIC_SECRETS_KEY_FILE: secretsKeyFile,
  };
}

export function coordinatorProgram(place: CoordinatorPlace): Program {
  const { ports, tls } = place;
  return {
    name: place.name,
    command: process.execPath,
    args: [SERVICE_NODE_OPTION, MAIN, "serve"],
    env: {
      ...COMPILE_CACHE,
      PATH: place.path,
      ELASTIC_ETCD: place.etcd.join(","),
      ELASTIC_HTTP_LISTEN: `127.0.0.1:${ports.http}`,
      ELASTIC_GRPC_LISTEN: `127.0.0.1:${ports.grpc}`,
      ELASTIC_METRICS_LISTEN: `127.0.0.1:${ports.metrics}`,
      ...fileSettings(place),
      ELASTIC_TLS_CA: tls?.ca ?? "",
      ELASTIC_TLS_CERT: tls?.cert ?? "",
      ELASTIC_TLS_KEY: tls?.key ?? "",
      // No load balancer is in front of it.
      ELASTIC_SHUTDOWN_DELAY: "0",
      ELASTIC_REGISTRY: place.registryHost === null ? "" : `http://${place.registryHost}`,
      ...place.settings,
    },
    logFile: place.logFile,
  };
}

/** `host:port` of each listener. */
export interface CoordinatorAddresses {
  readonly http: string;
  readonly grpc: string;
  readonly metrics: string;
  /** Where users log into shells; null where they do not. */
  readonly ssh: string | null;
}

/** Where it listens, once it says that it is ready. */
export async function coordinatorReady(child: Child, timeoutMs: number): Promise<CoordinatorAddresses> {
  const record = await child.line(lineWithMessage("ready"), timeoutMs);
  const { http, grpc, metrics, ssh } = record;
  return { http: hostOf(http), grpc: hostOf(grpc), metrics: hostOf(metrics), ssh: ssh === null ? null : hostOf(ssh) };
}

/** The registry's settings for coordinators started with this key file; `url` is the HTTP address of one. */
export async function tokenService(
  place: Pick<CoordinatorPlace, "secretsKeyFile" | "path">,
  url: string,
): Promise<TokenService> {
  const certificates = await runCommand(["registry-cert", "--secrets-key-file", place.secretsKeyFile], {
    PATH: place.path,
  });
  return tokenServiceOf(url, certificates);
}

/** With the defaults of a coordinator's settings. */
export function tokenServiceOf(url: string, certificates: string): TokenService {
  return { realm: `${url}/v1/registry/token`, service: "elastic-registry", issuer: "elastic", certificates };
}

export interface FirstKey {
  readonly key: string;
  readonly teamId: string;
  readonly teamName: string;
}

/** `elastic-coordinator login-link`: opened in a browser, it logs the user in to the console at `url`, once. */
export async function loginLink(
  place: Pick<CoordinatorPlace, "etcd" | "path">,
  of: { readonly user: string; readonly url: string },
): Promise<string> {
  const args = ["login-link", "--user", of.user, "--public-url", of.url, "--json"];
  const { url } = JSON.parse(await runCommand(args, onStore(place))) as { readonly url: string };
  return url;
}

/** `elastic-coordinator token create`: the line with which one machine joins at `enroll`, a listener's `host:port`. */
export async function joinLine(
  place: Pick<CoordinatorPlace, "etcd" | "path">,
  of: { readonly enroll: string; readonly ttl: string; readonly node?: string },
): Promise<string> {
  const node = of.node === undefined ? [] : ["--node", of.node];
  // The demo's machines run the agent of this checkout.
  const args = ["token", "create", "--installed", "--enroll-advertise", of.enroll, "--ttl", of.ttl, ...node];
  return (await runCommand(args, onStore(place))).trim();
}

/** `elastic-coordinator operator add`: the user's next login, and the sessions of the last hour, may operate the fleet. */
export async function addOperator(place: Pick<CoordinatorPlace, "etcd" | "path">, user: string): Promise<void> {
  await runCommand(["operator", "add", "--user", user], onStore(place));
}

/** `elastic-coordinator bootstrap`: the first user, team and key of an empty store. */
export async function bootstrap(
  place: Pick<CoordinatorPlace, "etcd" | "path">,
  names: { readonly user: string; readonly team: string },
): Promise<FirstKey> {
  const args = ["bootstrap", "--user", names.user, "--team", names.team, "--json"];
  const output = JSON.parse(await runCommand(args, onStore(place))) as {
    readonly key: string;
    readonly team_id: string;
  };
  return { key: output.key, teamId: output.team_id, teamName: names.team };
}

function onStore({ etcd, path }: Pick<CoordinatorPlace, "etcd" | "path">): Record<string, string> {
  return { PATH: path, ELASTIC_ETCD: etcd.join(",") };
}

/** The output of one of the coordinator's commands for operators. */
async function runCommand(args: readonly string[], env: Readonly<Record<string, string>>): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, ...args], {
    env: { ...COMPILE_CACHE, ...env },
    timeout: COMMAND_TIMEOUT_MS,
  });
  return stdout;
}
