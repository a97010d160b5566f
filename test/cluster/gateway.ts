/** A coordinator whose only role is ssh: the gateway as a separate process. It keeps its ports over restarts. */
import { join } from "node:path";
import type { CertificateFiles } from "@elastic/deploy/dev-ca.ts";
import { coordinatorProgram } from "@elastic/deploy/local/coordinator.ts";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { hostOf, lineWithMessage } from "@elastic/deploy/local/json-line.ts";
import { secretsKeyFile } from "./coordinator.ts";
import { programPath } from "./machine.ts";
import { type Part, startPart } from "./part.ts";

const START_TIMEOUT_MS = 60_000;

interface GatewayAddresses {
  readonly ssh: string;
  readonly metrics: string;
}

export interface GatewayOptions {
  readonly name: string;
  /** Of the cluster. */
  readonly folder: string;
  readonly etcd: readonly string[];
  readonly tls: CertificateFiles;
  /** `host:port`. */
  readonly listen: string;
}

export interface Gateway extends Part<GatewayAddresses> {
  readonly ssh: string;
  readonly logFile: string;
}

export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const logFile = join(options.folder, `${options.name}.log`);
  const ports = { http: 0, grpc: await freePort(), metrics: await freePort() };
  const part = await startPart<GatewayAddresses>({
    program: () =>
      coordinatorProgram({
        name: options.name,
        etcd: options.etcd,
        ports,
        blobsDir: join(options.folder, "blobs"),
        secretsKeyFile: secretsKeyFile(options.folder),
        tls: options.tls,
        registryHost: null,
        logFile,
        path: programPath(),
        settings: { ELASTIC_ROLES: "ssh", ELASTIC_SSH_LISTEN: options.listen },
      }),
    async becomesReady(child) {
      const { ssh, metrics } = await child.line(lineWithMessage("ready"), START_TIMEOUT_MS);
      return { ssh: hostOf(ssh), metrics: hostOf(metrics) };
    },
  });
  return { ...part, ssh: options.listen, logFile };
}
