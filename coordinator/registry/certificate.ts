/** The certificates by which the registry believes tokens: an authority's own, and those of keys that it vouches for. */
import { createPublicKey, type KeyObject } from "node:crypto";
import { certify, IS_AUTHORITY, MAY_SIGN, NO_AUTHORITY, SIGNS_CERTIFICATES } from "@elastic/std/x509/certify.ts";

export interface Named {
  readonly name: string;
  readonly key: KeyObject;
}

/** Fixed, and as wide as can be: a clock that is behind must not refuse one, and what ends tokens is their own expiry. */
const VALID = { validFrom: Date.UTC(2020, 0, 1), validTo: Date.UTC(2049, 11, 31, 23, 59, 59) };
const AUTHORITY = [IS_AUTHORITY, SIGNS_CERTIFICATES];
const SIGNER = [NO_AUTHORITY, MAY_SIGN];

/** The certificate, in DER, with which an authority vouches for itself. `key` is its private one. */
export function authorityCertificate(authority: Named): Buffer {
  return certificate(authority, authority, AUTHORITY);
}

/** The certificate, in DER, by which an authority vouches for another's key. Both keys are private ones. */
export function signerCertificate(signer: Named, authority: Named): Buffer {
  return certificate(signer, authority, SIGNER);
}

function certificate(subject: Named, issuer: Named, extensions: readonly Buffer[]): Buffer {
  const { name, key } = subject;
  return certify({ name, publicKey: createPublicKey(key), ...VALID, extensions }, issuer);
}
