/**
 * The tokens that the registry requires of its callers (distribution registry, token authentication): a JWT that says what
 * its bearer may do, signed by a key that this process made and an authority vouches for in the token itself (`x5c`).
 */
import { generateKeyPairSync, randomUUID, sign } from "node:crypto";
import type { Clock, Instant } from "@elastic/std/clock.ts";
import { type Named, signerCertificate } from "./certificate.ts";
import type { Access, CatalogAccess, DeleteAccess } from "./scope.ts";

/** Registries allow for a minute of clock skew, so a token is good for five minutes: then what was revoked has ended. */
export const TOKEN_LIFE_S = 240;

export interface AccessToken {
  readonly text: string;
  readonly issuedAt: Instant;
  readonly expiresInSeconds: number;
}

/** `subject` says in the registry's log who it was. */
export type IssueToken = (subject: string, access: readonly (Access | CatalogAccess | DeleteAccess)[]) => AccessToken;

export interface IssuerOptions {
  readonly authority: Named;
  /** As the registry is configured with them. */
  readonly issuer: string;
  readonly service: string;
  readonly clock: Pick<Clock, "now">;
}

export function tokenIssuer({ authority, issuer, service, clock }: IssuerOptions): IssueToken {
  const signer = {
    name: "elastic registry token signer",
    key: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey,
  };
  const certificate = signerCertificate(signer, authority).toString("base64");
  const header = encode({ typ: "JWT", alg: "ES256", x5c: [certificate] });
  return (subject, access) => {
    const issuedAt = clock.now();
    const seconds = Math.floor(issuedAt / 1000);
    const claims = {
      iss: issuer,
      sub: subject,
      aud: service,
      iat: seconds,
      nbf: seconds,
      exp: seconds + TOKEN_LIFE_S,
      jti: randomUUID(),
      access,
    };
    const content = `${header}.${encode(claims)}`;
    // JWS wants the two numbers of a signature side by side (RFC 7518, 3.4).
    const signature = sign("sha256", Buffer.from(content), { key: signer.key, dsaEncoding: "ieee-p1363" });
    return { text: `${content}.${signature.toString("base64url")}`, issuedAt, expiresInSeconds: TOKEN_LIFE_S };
  };
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
