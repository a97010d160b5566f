/**
 * Whom the registry believes when it is shown a token: an authority for each live master key. Its key is derived and
 * stored nowhere, so all coordinators have the same one, and its certificate can be printed where no store is.
 *
 * The certificate differs each time it is made, its name and key do not, and these are what the registry goes by.
 */
import { createECDH, createHash, createPrivateKey } from "node:crypto";
import { pem } from "@elastic/std/x509/pem.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { authorityCertificate, type Named } from "./certificate.ts";

/** The order of P-256. */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
/** 128 bits more than the order has, so that no key is likelier than another (FIPS 186-5, A.2.1). */
const DERIVED_BYTES = 48;

/** Newest first. */
export function registryAuthorities(secrets: Pick<Secrets, "derive">): readonly Named[] {
  return secrets.derive("registry-authority", DERIVED_BYTES).map(authorityOf);
}

/** In PEM, for the registry's `rootcertbundle`. */
export function authorityBundle(authorities: readonly Named[]): string {
  return authorities.map((authority) => pem("CERTIFICATE", authorityCertificate(authority))).join("");
}

function authorityOf(derived: Buffer): Named {
  const scalar = (BigInt(`0x${derived.toString("hex")}`) % (ORDER - 1n)) + 1n;
  const secret = Buffer.from(scalar.toString(16).padStart(64, "0"), "hex");
  const ecdh = createECDH("prime256v1");
  ecdh.setPrivateKey(secret);
  // 0x04, then both coordinates.
  const point = ecdh.getPublicKey();
  const jwk = {
    kty: "EC",
    crv: "P-256",
    d: secret.toString("base64url"),
    x: point.subarray(1, 33).toString("base64url"),
    y: point.subarray(33).toString("base64url"),
  };
  const fingerprint = createHash("sha256").update(point).digest("hex").slice(0, 16);
  return { name: `elastic registry tokens ${fingerprint}`, key: createPrivateKey({ key: jwk, format: "jwk" }) };
}
