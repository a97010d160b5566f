/** Certificates for tests: a CA, a server on loopback, and nodes. */
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { TlsFiles } from "../link/channel.ts";

export interface TestCa {
  server(): TlsFiles;
  node(nodeId: string): TlsFiles;
}

export function makeTestCa(folder: string): TestCa {
  mkdirSync(folder, { recursive: true });
  const openssl = (...args: string[]): void => void execFileSync("openssl", args, { cwd: folder, stdio: "ignore" });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-subj", "/CN=test ca", "-days", "2", "-keyout", "ca.key", "-out", "ca.pem");

  const issue = (name: string, alternativeName: string): TlsFiles => {
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${alternativeName}\n`);
    openssl("req", ...key, "-subj", `/CN=${name}`, "-keyout", `${name}.key`, "-out", `${name}.csr`);
    const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", `${name}.ext`];
    openssl("x509", "-req", "-in", `${name}.csr`, ...signed, "-out", `${name}.pem`);
    return {
      caFile: join(folder, "ca.pem"),
      certFile: join(folder, `${name}.pem`),
      keyFile: join(folder, `${name}.key`),
    };
  };

  return {
    server: () => issue("server", "IP:127.0.0.1,DNS:localhost"),
    node: (nodeId) => issue(`node-${nodeId}`, `URI:elastic://node/${nodeId}`),
  };
}
