/**
 * A certificate authority for development: one coordinator certificate and one for each node, made by openssl.
 * A node's identity is the URI SAN `elastic://node/<node id>`. The CA's key lies beside its certificate without a
 * password, so this is for one machine only; on real nodes certificates come by enrolment.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DAYS = 30;
const KEY_OPTIONS = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

export interface CertificateFiles {
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

export interface DevCa {
  /** The certificate with which coordinators serve on the loopback address. */
  coordinator(): CertificateFiles;
  /** The certificate of the node with this id. */
  node(nodeId: string): CertificateFiles;
}

/** Opens the CA in `folder`, which is made where it does not exist yet. `path` is where openssl is looked for. */
export function openDevCa(folder: string, path: string): DevCa {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const openssl = (...args: readonly string[]): void => {
    execFileSync("openssl", args, { stdio: "pipe", env: { PATH: path } });
  };
  const ca = join(folder, "ca.crt");
  const caKey = join(folder, "ca.key");
  if (!existsSync(ca)) {
    openssl(
      ...["req", "-x509", ...KEY_OPTIONS, "-keyout", caKey, "-out", ca, "-days", String(DAYS)],
      ...["-subj", "/CN=Elastic development CA", "-addext", "basicConstraints=critical,CA:TRUE,pathlen:0"],
      ...["-addext", "keyUsage=critical,keyCertSign,cRLSign"],
    );
  }
  const issue = (name: string, commonName: string, usage: string, san: string): CertificateFiles => {
    const files = { ca, cert: join(folder, `${name}.crt`), key: join(folder, `${name}.key`) };
    if (existsSync(files.cert)) return files;
    const request = join(folder, `${name}.csr`);
    const extensions = join(folder, `${name}.ext`);
    writeFileSync(
      extensions,
      `basicConstraints=critical,CA:FALSE\nkeyUsage=critical,digitalSignature\nextendedKeyUsage=${usage}\nsubjectAltName=${san}\n`,
    );
    openssl("req", "-new", ...KEY_OPTIONS, "-keyout", files.key, "-out", request, "-subj", `/CN=${commonName}`);
    openssl(
      ...["x509", "-req", "-in", request, "-CA", ca, "-CAkey", caKey, "-CAcreateserial", "-days", String(DAYS)],
      ...["-extfile", extensions, "-out", files.cert],
    );
    return files;
  };
  return {
    coordinator: () => issue("coordinator", "coordinator", "serverAuth", "IP:127.0.0.1,DNS:localhost"),
    node: (nodeId) => issue(`node-${nodeId}`, `node ${nodeId}`, "clientAuth", `URI:elastic://node/${nodeId}`),
  };
}
