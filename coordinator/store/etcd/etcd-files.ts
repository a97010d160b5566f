/** The files by which a coordinator shows etcd who it is, and knows etcd: read and checked. */
import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import type { EtcdFiles } from "../etcd-access.ts";

/** What is in them; null where there is none. */
export interface EtcdFileContents {
  readonly ca: Buffer | null;
  readonly identity: { readonly cert: Buffer; readonly key: Buffer } | null;
  readonly password: string | null;
}

/** One of the files cannot be used: one sentence that names its setting, and what to do. */
export class EtcdFileError extends Error {
  override readonly name = "EtcdFileError";
}

const LINE_END = /\r?\n$/;

export function readEtcdFiles(files: EtcdFiles, now: Date): EtcdFileContents {
  const ca = files.ca === null ? null : readAuthority(files.ca);
  const { cert, key } = files;
  const identity = cert === null || key === null ? null : readIdentity(cert, key, now);
  return { ca, identity, password: files.passwordFile === null ? null : readPassword(files.passwordFile) };
}

export function haveSameContents(one: EtcdFileContents, other: EtcdFileContents): boolean {
  const texts = ({ ca, identity, password }: EtcdFileContents) =>
    [ca, identity?.cert, identity?.key, password].map((part) => String(part ?? ""));
  const others = texts(other);
  return texts(one).every((text, index) => text === others[index]);
}

function readAuthority(file: string): Buffer {
  const pem = read("ELASTIC_ETCD_CA", file);
  parseCertificate("ELASTIC_ETCD_CA", file, pem);
  return pem;
}

function readIdentity(certFile: string, keyFile: string, now: Date): { readonly cert: Buffer; readonly key: Buffer } {
  const cert = read("ELASTIC_ETCD_CERT", certFile);
  const certificate = parseCertificate("ELASTIC_ETCD_CERT", certFile, cert);
  const key = read("ELASTIC_ETCD_KEY", keyFile);
  if (!certificate.checkPrivateKey(parseKey(keyFile, key))) {
    throw new EtcdFileError(
      `ELASTIC_ETCD_KEY: the key in ${keyFile} does not belong to the certificate in ${certFile}: name the key that the certificate was made for`,
    );
  }
  if (now > certificate.validToDate) {
    throw new EtcdFileError(
      `ELASTIC_ETCD_CERT: the certificate in ${certFile} ended on ${certificate.validToDate.toISOString()}: renew it, or set this machine's clock`,
    );
  }
  return { cert, key };
}

function readPassword(file: string): string {
  const password = read("ELASTIC_ETCD_PASSWORD_FILE", file).toString().replace(LINE_END, "");
  if (password !== "") return password;
  throw new EtcdFileError(
    `ELASTIC_ETCD_PASSWORD_FILE: ${file} is empty: write the password of ELASTIC_ETCD_USER there`,
  );
}

function read(setting: string, file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "does not exist" : (cause as Error).message;
    throw new EtcdFileError(`${setting}: ${file} ${why}: name a file that this program may read`, { cause });
  }
}

function parseCertificate(setting: string, file: string, pem: Buffer): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch (cause) {
    throw new EtcdFileError(`${setting}: ${file} holds no certificate: name a file with one in PEM`, { cause });
  }
}

function parseKey(file: string, pem: Buffer) {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    const message = `ELASTIC_ETCD_KEY: ${file} holds no private key without a passphrase: name a file with one in PEM`;
    throw new EtcdFileError(message, { cause });
  }
}
