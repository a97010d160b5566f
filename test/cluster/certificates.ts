/** Certificates for one cluster under test, and such as a coordinator must refuse. */
import { join } from "node:path";
import { type CertificateFiles, type DevCa, openDevCa } from "@elastic/deploy/dev-ca.ts";

/** The CA of a cluster whose files are in `folder`. */
export function makeCertificates(folder: string): DevCa {
  return openDevCa(join(folder, "ca"));
}

/** A node certificate with the right name from a CA that nobody trusts. */
export function foreignNodeCertificate(folder: string, nodeId: string): CertificateFiles {
  return openDevCa(join(folder, "foreign-ca")).node(nodeId);
}
