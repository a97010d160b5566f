/**
 * A certificate authority for development: one coordinator certificate and one for each node. A node's identity is the
 * URI SAN `elastic://node/<node id>`. The CA's key is stored next to its certificate without a password, so this is for one
 * machine only; on real nodes certificates come by enrolment.
 */
import { createPrivateKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type AlternativeName,
  alternativeNames,
  certify,
  FOR_CLIENTS,
  FOR_SERVERS,
  IS_AUTHORITY,
  type Issuer,
  MAY_SIGN,
  NO_AUTHORITY,
  SIGNS_CERTIFICATES,
} from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";

const LIFE_MS = 30 * 24 * 3_600_000;
/** Of the machine's clock, which may be set back. */
const BEFORE_MS = 3_600_000;
const CA_NAME = "Elastic development CA";
const LOOPBACK: readonly AlternativeName[] = [
  { kind: "ip", bytes: Buffer.from([127, 0, 0, 1]) },
  { kind: "dns", name: "localhost" },
];

export interface CertificateFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface DevCa {
  /** The certificate with which coordinators serve on the loopback address. */
  coordinator(): CertificateFiles;
  /** The certificate by which a program of this name shows a server who it is. */
  client(name: string): CertificateFiles;
  /** The certificate of the node with this id. */
  node(nodeId: string): CertificateFiles;
}

/** Opens the CA in `folder`, which is made where it does not exist yet. */
export function openDevCa(folder: string): DevCa {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const place = (name: string): CertificateFiles => ({
    ca: join(folder, "ca.crt"),
    cert: join(folder, `${name}.crt`),
    key: join(folder, `${name}.key`),
  });
  const own = place("ca");
  if (!existsSync(own.cert)) write(own, CA_NAME, [IS_AUTHORITY, SIGNS_CERTIFICATES], null);
  const issuer: Issuer = { name: CA_NAME, key: createPrivateKey(readFileSync(own.key)) };
  const issue = (file: string, name: string, use: Buffer, names: readonly AlternativeName[]): CertificateFiles => {
    const files = place(file);
    if (!existsSync(files.cert)) write(files, name, [NO_AUTHORITY, MAY_SIGN, use, alternativeNames(names)], issuer);
    return files;
  };
  return {
    client: (name) => issue(`client-${name}`, name, FOR_CLIENTS, [{ kind: "dns", name }]),
    coordinator: () => issue("coordinator", "coordinator", FOR_SERVERS, LOOPBACK),
    node(nodeId) {
      const names: readonly AlternativeName[] = [{ kind: "uri", uri: `elastic://node/${nodeId}` }];
      return issue(`node-${nodeId}`, `node ${nodeId}`, FOR_CLIENTS, names);
    },
  };
}

/** A new key and its certificate, which without an issuer vouches for itself. */
function write(files: CertificateFiles, name: string, extensions: readonly Buffer[], issuer: Issuer | null): void {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const valid = { validFrom: Date.now() - BEFORE_MS, validTo: Date.now() + LIFE_MS };
  const der = certify({ name, publicKey, ...valid, extensions }, issuer ?? { name, key: privateKey });
  writeFileSync(files.key, keyText(privateKey), { mode: 0o600 });
  writeFileSync(files.cert, pem("CERTIFICATE", der));
}

function keyText(key: KeyObject): string {
  return String(key.export({ type: "pkcs8", format: "pem" }));
}
