/** Certificates for tests: a CA, a server on loopback, and nodes. */
import { type CertificateFiles, openDevCa } from "../../deploy/dev-ca.ts";
import type { TlsFiles } from "../domain/tls-files.ts";

export interface TestCa {
  server(): TlsFiles;
  node(nodeId: string): TlsFiles;
}

export function makeTestCa(folder: string): TestCa {
  const ca = openDevCa(folder);
  return { server: () => tlsFiles(ca.coordinator()), node: (nodeId) => tlsFiles(ca.node(nodeId)) };
}

function tlsFiles({ ca, cert, key }: CertificateFiles): TlsFiles {
  return { caFile: ca, certFile: cert, keyFile: key };
}
