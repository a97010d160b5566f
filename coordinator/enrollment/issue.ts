/** What the authority vouches for: nodes, for a day at most, and the coordinators themselves. */
import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { isIP } from "node:net";
import {
  type AlternativeName,
  alternativeNames,
  certify,
  FOR_CLIENTS,
  FOR_SERVERS,
  MAY_SIGN,
  NO_AUTHORITY,
} from "@elastic/std/x509/certify.ts";
import { pem } from "@elastic/std/x509/pem.ts";
import type { Authority } from "./authority.ts";

/** Another coordinator's clock may be so much behind. */
const CLOCKS_APART_MS = 5 * 60_000;

export interface NodeCertificate {
  readonly pem: string;
  readonly notAfter: number;
}

export interface NodeSubject {
  readonly nodeName: string;
  readonly enrollmentId: string;
  readonly publicKey: KeyObject;
}

export function issueToNode(authority: Authority, subject: NodeSubject, now: number, lifeMs: number): NodeCertificate {
  const { nodeName, enrollmentId, publicKey } = subject;
  const names: AlternativeName[] = [
    { kind: "uri", uri: `elastic://node/${nodeName}` },
    { kind: "uri", uri: `elastic://enrolment/${enrollmentId}` },
  ];
  const notAfter = Math.floor((now + lifeMs) / 1000) * 1000;
  const extensions = [NO_AUTHORITY, MAY_SIGN, FOR_CLIENTS, alternativeNames(names)];
  const validFrom = now - CLOCKS_APART_MS;
  const der = certify({ name: nodeName, publicKey, validFrom, validTo: notAfter, extensions }, authority.issuer);
  return { pem: pem("CERTIFICATE", der), notAfter };
}

export interface ServerCertificate {
  /** With the authority's after it, by which a machine that knows only the digest of its root finds that root. */
  readonly chainPem: string;
  readonly keyPem: string;
}

/** Its key never leaves this process, so it may last as long as the authority; agents' clocks do not matter to it. */
export function issueToCoordinator(authority: Authority, hosts: readonly string[]): ServerCertificate {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const extensions = [NO_AUTHORITY, MAY_SIGN, FOR_SERVERS, alternativeNames(hosts.map(hostName))];
  const { validFrom, validTo } = authority;
  const der = certify({ name: "coordinator", publicKey, validFrom, validTo, extensions }, authority.issuer);
  return {
    chainPem: pem("CERTIFICATE", der) + authority.chainPem,
    keyPem: String(privateKey.export({ type: "pkcs8", format: "pem" })),
  };
}

function hostName(host: string): AlternativeName {
  switch (isIP(host)) {
    case 4:
      return { kind: "ip", bytes: Buffer.from(host.split(".").map(Number)) };
    case 6:
      return { kind: "ip", bytes: bytesOfV6(host) };
    default:
      return { kind: "dns", name: host };
  }
}

function bytesOfV6(host: string): Buffer {
  // As a URL spells it: an embedded IPv4 address becomes two groups.
  const [head = "", tail] = new URL(`http://[${host.replace(/%.*$/, "")}]`).hostname.slice(1, -1).split("::");
  const groups = (part: string | undefined): string[] => (part ? part.split(":") : []);
  const [before, after] = [groups(head), groups(tail)];
  const all = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
  return Buffer.from(all.map((group) => group.padStart(4, "0")).join(""), "hex");
}
