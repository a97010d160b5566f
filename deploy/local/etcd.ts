/** One etcd server on the loopback address: which binary, how it is started, when it serves. */
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import type { Program } from "./program.ts";
import { inRepository } from "./repository.ts";
import { findProgram } from "./search-path.ts";
import { until } from "./until.ts";

/** What set-up builds where the machine's etcd is older than 3.5. */
const BUILT = inRepository(".cache", "bin", "etcd");
const QUOTA_BYTES = 4 * 1024 ** 3;
const ANSWER_TIMEOUT_MS = 1000;
/** The member's name of a server alone. */
const ALONE = "elastic";

export interface EtcdBinary {
  readonly path: string;
  readonly version: string;
}

/** The first etcd of at least 3.5 on `path`, else the one that set-up built, else whatever there is. */
export function findEtcd(path: string): EtcdBinary {
  const onPath = findProgram("etcd", path);
  const candidates = [onPath, existsSync(BUILT) ? BUILT : null]
    .filter((candidate) => candidate !== null)
    .map((candidate) => ({ path: candidate, version: etcdVersion(candidate) }));
  const found = candidates.find(({ version }) => isRecent(version)) ?? candidates[0];
  if (found === undefined) throw new Error("no etcd on this machine: run deploy/setup.sh");
  return found;
}

/** Whether the version is one of a line that is still maintained. */
export function isRecent(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 3 || (major === 3 && minor >= 5);
}

function etcdVersion(binary: string): string {
  const text = execFileSync(binary, ["--version"], { encoding: "utf8", env: {}, timeout: 10_000 });
  return /etcd Version: (\S+)/.exec(text)?.[1] ?? "0";
}

export interface EtcdPlace {
  readonly binary: string;
  readonly dataDir: string;
  readonly clientPort: number;
  readonly peerPort: number;
  readonly logFile: string;
  /** Left out for a server alone. */
  readonly cluster?: EtcdMembership;
  /** Left out for clients without TLS. */
  readonly tls?: EtcdTls;
  /** Default 4 GiB. */
  readonly quotaBytes?: number;
}

interface EtcdMembership {
  readonly name: string;
  /** Ports towards peers of all members, by name. */
  readonly peerPorts: ReadonlyMap<string, number>;
  /** Under which its peers find each member; default 127.0.0.1. */
  readonly peerHosts?: ReadonlyMap<string, string>;
}

interface EtcdTls {
  /** The server's own, of the files of `deploy/dev-ca.ts`. */
  readonly cert: string;
  readonly key: string;
  /** Authority of the certificates that clients must have. */
  readonly clientCa: string;
  /** Where it reports its health without TLS. */
  readonly healthPort: number;
}

export function etcdEndpoint(place: Pick<EtcdPlace, "clientPort" | "tls">): string {
  return `${place.tls === undefined ? "http" : "https"}://127.0.0.1:${place.clientPort}`;
}

export function etcdProgram(place: EtcdPlace): Program {
  const client = etcdEndpoint(place);
  const membership = place.cluster ?? { name: ALONE, peerPorts: new Map([[ALONE, place.peerPort]]) };
  const members = [...membership.peerPorts.keys()].map((member) => `${member}=${peerUrl(membership, member)}`);
  return {
    name: "etcd",
    command: place.binary,
    args: [
      `--name=${membership.name}`,
      `--data-dir=${place.dataDir}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=http://127.0.0.1:${place.peerPort}`,
      `--initial-advertise-peer-urls=${peerUrl(membership, membership.name)}`,
      `--initial-cluster=${members.join(",")}`,
      ...(place.tls === undefined ? [] : tlsFlags(place.tls)),
      "--auto-compaction-mode=periodic",
      "--auto-compaction-retention=5m",
      `--quota-backend-bytes=${place.quotaBytes ?? QUOTA_BYTES}`,
      "--logger=zap",
      "--log-level=warn",
    ],
    env: {},
    logFile: place.logFile,
  };
}

function tlsFlags({ cert, key, clientCa, healthPort }: EtcdTls): readonly string[] {
  return [
    `--cert-file=${cert}`,
    `--key-file=${key}`,
    `--trusted-ca-file=${clientCa}`,
    "--client-cert-auth",
    // It would call the server with a client certificate, which the server's own is not.
    "--enable-grpc-gateway=false",
    `--listen-metrics-urls=http://127.0.0.1:${healthPort}`,
  ];
}

function peerUrl({ peerPorts, peerHosts }: EtcdMembership, member: string): string {
  return `http://${peerHosts?.get(member) ?? "127.0.0.1"}:${peerPorts.get(member)}`;
}

/** Resolves once the server has a leader and responds. */
export async function etcdServes(endpoint: string, timeoutMs: number, signal: AbortSignal): Promise<void> {
  await until(
    "etcd serves",
    async () => {
      const answer = await fetch(`${endpoint}/health`, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
      return answer.ok ? true : undefined;
    },
    { timeoutMs, everyMs: 20, signal },
  );
}
