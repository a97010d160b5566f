/** A three-member etcd with mutual TLS and authentication, as a site runs it. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { CertificateFiles } from "@elastic/deploy/dev-ca.ts";
import { AuthService, Permission_Type as PermissionType } from "@elastic/proto/gen/etcd/auth.ts";
import { createLog } from "@elastic/std/log.ts";
import { type EtcdCluster, type EtcdClusterOptions, startEtcdCluster } from "@elastic/test/cluster/etcd-cluster.ts";
import { connectClients } from "../etcd/etcd-clients.ts";
import { EtcdCredentials } from "../etcd/etcd-credentials.ts";
import type { EtcdAccess } from "../etcd-access.ts";

const USER = "coordinator";
const PASSWORD = "correct horse";
const PREFIX = { key: Buffer.from("/elastic/"), rangeEnd: Buffer.from("/elastic0") };

export interface SecuredEtcd extends AsyncDisposable {
  readonly cluster: EtcdCluster;
  /** Of a user who may read and write what coordinators store, and nothing else. */
  readonly access: EtcdAccess & { readonly files: Readonly<Record<"ca" | "cert" | "key" | "passwordFile", string>> };
  /** Replaces the client's certificate and key in their files. */
  replaceClientCertificate(by: CertificateFiles): void;
}

export async function startSecuredEtcd(options: EtcdClusterOptions = {}): Promise<SecuredEtcd> {
  const cluster = await startEtcdCluster(options);
  const folder = join(cluster.folder, "client");
  mkdirSync(folder);
  const at = (name: string) => join(folder, name);
  const files = { ca: cluster.caFile, cert: at("tls.crt"), key: at("tls.key"), passwordFile: at("password") };
  const replaceClientCertificate = (by: CertificateFiles) => {
    copyFileSync(by.cert, files.cert);
    copyFileSync(by.key, files.key);
  };
  replaceClientCertificate(cluster.ca.client("first"));
  writeFileSync(files.passwordFile, `${PASSWORD}\n`);
  await enableAuthentication(cluster, files);
  return {
    cluster,
    access: { files, user: USER },
    replaceClientCertificate,
    [Symbol.asyncDispose]: () => cluster[Symbol.asyncDispose](),
  };
}

async function enableAuthentication(cluster: EtcdCluster, files: EtcdAccess["files"]): Promise<void> {
  const log = createLog({ name: "test", level: "silent" });
  const clients = connectClients(cluster.endpoints, new EtcdCredentials({ files, user: null, log }));
  const { reads } = clients;
  try {
    await reads.call(AuthService.userAdd, { name: "root", password: PASSWORD });
    await reads.call(AuthService.userGrantRole, { user: "root", role: "root" });
    await reads.call(AuthService.roleAdd, { name: USER });
    const perm = { permType: PermissionType.READWRITE, ...PREFIX };
    await reads.call(AuthService.roleGrantPermission, { name: USER, perm });
    await reads.call(AuthService.userAdd, { name: USER, password: PASSWORD });
    await reads.call(AuthService.userGrantRole, { user: USER, role: USER });
    await reads.call(AuthService.authEnable, {});
  } finally {
    clients.close();
  }
}
