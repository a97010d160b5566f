/** A coordinator under test, as a separate process. It keeps its ports over restarts. */
import { join } from "node:path";
import type { CertificateFiles } from "@elastic/deploy/dev-ca.ts";
import { type CoordinatorAddresses, coordinatorProgram, coordinatorReady } from "@elastic/deploy/local/coordinator.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import type { Program } from "@elastic/deploy/local/program.ts";
import { programPath } from "./machine.ts";
import { type Part, startPart } from "./part.ts";

const START_TIMEOUT_MS = 60_000;

export interface CoordinatorOptions {
  readonly name: string;
  readonly folder: string;
  readonly etcd: readonly string[];
  readonly tls: CertificateFiles;
  readonly registryHost: string | null;
  readonly settings: Readonly<Record<string, string>>;
  /** The program of each start, as it is started, where it is another. */
  readonly as?: (program: Program) => Program;
}

export interface Coordinator extends Part<CoordinatorAddresses> {
  /** Base address of the public HTTP interface. */
  readonly url: string;
  /** `host:port` for agents. */
  readonly grpc: string;
  /** Address of its metrics. */
  readonly metricsUrl: string;
  /** `host:port` of its SSH gateway, where its settings enable one. */
  readonly ssh: string | null;
  /** Starts it again with these settings in addition; the next start is without them. */
  startWith(settings: Readonly<Record<string, string>>): Promise<CoordinatorAddresses>;
}

/** Of the coordinators of this folder. */
export function secretsKeyFile(folder: string): string {
  return join(folder, "secrets.key");
}

/** Coordinators of one `folder` share blobs and secrets, as those of one store must. */
export async function startCoordinator(options: CoordinatorOptions): Promise<Coordinator> {
  let added: Readonly<Record<string, string>> = {};
  const part = await startPart<CoordinatorAddresses>({
    program: async (before) =>
      (options.as ?? asItIs)(
        coordinatorProgram({
          name: options.name,
          etcd: options.etcd,
          ports: before === null ? await freePorts() : portsOf(before),
          blobsDir: join(options.folder, "blobs"),
          secretsKeyFile: secretsKeyFile(options.folder),
          tls: options.tls,
          registryHost: options.registryHost,
          logFile: join(options.folder, `${options.name}.log`),
          path: programPath(),
          settings: { ...options.settings, ...added },
        }),
      ),
    becomesReady: (child) => coordinatorReady(child, START_TIMEOUT_MS),
    triesMax: 2,
  });
  const { http, grpc, metrics, ssh } = part.ready();
  return {
    ...part,
    url: `http://${http}`,
    grpc,
    metricsUrl: `http://${metrics}/metrics`,
    ssh,
    async startWith(settings) {
      added = settings;
      try {
        return await part.start();
      } finally {
        added = {};
      }
    },
  };
}

function asItIs(program: Program): Program {
  return program;
}

interface Ports {
  readonly http: number;
  readonly grpc: number;
  readonly metrics: number;
}

async function freePorts(): Promise<Ports> {
  return { http: await freePort(), grpc: await freePort(), metrics: await freePort() };
}

function portsOf(addresses: CoordinatorAddresses): Ports {
  const port = (address: string): number => Number(address.slice(address.lastIndexOf(":") + 1));
  return { http: port(addresses.http), grpc: port(addresses.grpc), metrics: port(addresses.metrics) };
}
