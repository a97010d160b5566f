/** A real kube-apiserver on a separate etcd: `await using server = await startKubeApiserver()`. */
import { generateKeyPairSync } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "@elastic/deploy/local/free-port.ts";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { until } from "@elastic/deploy/local/until.ts";
import { startEtcd } from "../etcd.ts";
import { type Part, startPart } from "../part.ts";
import { makeWorkFolder } from "../work-folder.ts";
import { type KubeAdmin, kubeAdmin } from "./kube-admin.ts";

/** Built by `deploy/setup.sh kubernetes-api`. */
const BUILT = inRepository(".cache", "bin", "kube-apiserver");
const START_TIMEOUT_MS = 120_000;
/** Of the certificate that it makes itself. */
const SERVER_NAME = "kubernetes.default.svc";
const ADMIN_TOKEN = "admin-token";
/** All that is requested, without its bodies. */
const AUDIT_POLICY = { apiVersion: "audit.k8s.io/v1", kind: "Policy", rules: [{ level: "Metadata" }] };

export interface KubeApiserver extends Part<number> {
  readonly admin: KubeAdmin;
  /** Writes a kubeconfig for that user of `users`. */
  kubeconfig(user: string, namespace: string): string;
  /** What that user requested so far, as RBAC has it: `create pods/binding`, with its status. */
  requestsOf(user: string): readonly AuditedRequest[];
}

interface AuditedRequest {
  readonly verb: string;
  readonly apiGroup: string;
  /** With its subresource, such as `pods/log`. */
  readonly resource: string;
  readonly namespace: string;
  readonly status: number;
}

/** Why it cannot be started here, or null when it can. */
export function whyNoKubeApiserver(): string | null {
  return existsSync(BUILT) ? null : "no kube-apiserver on this machine: run deploy/setup.sh kubernetes-api";
}

/** `users` are those whom it knows in addition to an administrator. */
export async function startKubeApiserver(users: readonly string[]): Promise<KubeApiserver> {
  const folder = makeWorkFolder();
  const etcd = await startEtcd();
  const file = (name: string): string => join(folder.path, name);
  mkdirSync(file("certs"));
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  writeFileSync(file("accounts.key"), privateKey.export({ type: "pkcs1", format: "pem" }));
  const tokens = users.map((user, index) => `${tokenOf(user)},"${user}",u${index}`);
  writeFileSync(file("tokens.csv"), [`${ADMIN_TOKEN},admin,admin,system:masters`, ...tokens, ""].join("\n"));
  writeFileSync(file("audit.yaml"), JSON.stringify(AUDIT_POLICY));
  const caOf = (): string => readFileSync(file("certs/apiserver.crt"), "utf8");
  const adminOf = (port: number): KubeAdmin =>
    kubeAdmin({ server: `https://127.0.0.1:${port}`, ca: caOf(), serverName: SERVER_NAME, token: ADMIN_TOKEN });
  const part = await startPart<number>({
    program: async (before) => ({
      name: "kube-apiserver",
      command: BUILT,
      args: [
        `--etcd-servers=${etcd.endpoint}`,
        `--secure-port=${await portOf(before, file("port"))}`,
        "--bind-address=127.0.0.1",
        "--advertise-address=192.0.2.1",
        "--endpoint-reconciler-type=none",
        `--cert-dir=${file("certs")}`,
        "--service-account-issuer=https://kubernetes.default.svc",
        `--service-account-key-file=${file("accounts.key")}`,
        `--service-account-signing-key-file=${file("accounts.key")}`,
        "--service-cluster-ip-range=198.51.100.0/24",
        "--authorization-mode=RBAC",
        `--token-auth-file=${file("tokens.csv")}`,
        `--audit-policy-file=${file("audit.yaml")}`,
        `--audit-log-path=${file("audit.log")}`,
      ],
      env: {},
      logFile: file("kube-apiserver.log"),
    }),
    becomesReady: async (child) => {
      const port = Number(readFileSync(file("port"), "utf8"));
      await child.whileRunning((signal) =>
        until("the API server is ready", async () => (await isReady(() => adminOf(port))) || undefined, {
          timeoutMs: START_TIMEOUT_MS,
          signal,
        }),
      );
      return port;
    },
  });
  return {
    ...part,
    admin: adminOf(part.ready()),
    kubeconfig: (user, namespace) => {
      const path = file(`${user.replaceAll(":", "-")}.kubeconfig`);
      const ca = Buffer.from(caOf()).toString("base64");
      const server = `https://127.0.0.1:${part.ready()}`;
      const config = {
        apiVersion: "v1",
        kind: "Config",
        clusters: [
          { name: "c", cluster: { server, "certificate-authority-data": ca, "tls-server-name": SERVER_NAME } },
        ],
        users: [{ name: "u", user: { token: tokenOf(user) } }],
        contexts: [{ name: "x", context: { cluster: "c", user: "u", namespace } }],
        "current-context": "x",
      };
      writeFileSync(path, JSON.stringify(config));
      return path;
    },
    requestsOf: (user) => auditedRequests(readFileSync(file("audit.log"), "utf8"), user),
    async [Symbol.asyncDispose]() {
      await part.kill();
      await etcd[Symbol.asyncDispose]();
      folder[Symbol.dispose]();
    },
  };
}

async function portOf(before: number | null, file: string): Promise<number> {
  const port = before ?? (await freePort());
  writeFileSync(file, `${port}`);
  return port;
}

async function isReady(admin: () => KubeAdmin): Promise<boolean> {
  try {
    await admin().get("/readyz?exclude=poststarthook/start-legacy-token-tracking-controller");
    return true;
  } catch {
    return false;
  }
}

function tokenOf(user: string): string {
  return `token-of-${user.replaceAll(":", "-")}`;
}

interface AuditEvent {
  readonly stage: string;
  readonly verb: string;
  readonly user: { readonly username: string };
  readonly objectRef?: {
    readonly resource?: string;
    readonly subresource?: string;
    readonly apiGroup?: string;
    readonly namespace?: string;
  };
  readonly responseStatus?: { readonly code?: number };
}

/** What has no object, such as the server's version, is open to everybody. */
function auditedRequests(log: string, user: string): readonly AuditedRequest[] {
  return log.split("\n").flatMap((line) => {
    if (!line.endsWith("}")) return [];
    const { stage, verb, user: by, objectRef, responseStatus } = JSON.parse(line) as AuditEvent;
    if (stage !== "ResponseComplete" || by.username !== user || objectRef?.resource === undefined) return [];
    const { resource, subresource, apiGroup = "", namespace = "" } = objectRef;
    const name = subresource === undefined ? resource : `${resource}/${subresource}`;
    return [{ verb, apiGroup, resource: name, namespace, status: responseStatus?.code ?? 0 }];
  });
}
