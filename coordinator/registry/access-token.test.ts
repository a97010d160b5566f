import { verify, X509Certificate } from "node:crypto";
import { expect, test } from "vitest";
import { TOKEN_LIFE_S, tokenIssuer } from "./access-token.ts";
import { registryAuthorities } from "./authority.ts";
import { authorityCertificate } from "./certificate.ts";

const NOW = 1_800_000_000_500;
const [authority] = registryAuthorities({ derive: (_use, bytes) => [Buffer.alloc(bytes, 1)] });
if (authority === undefined) throw new Error("no authority");
const issue = tokenIssuer({ authority, issuer: "elastic", service: "images", clock: { now: () => NOW } });

function read(text: string) {
  const [header = "", claims = "", signature = ""] = text.split(".");
  const json = (part: string) => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
  return { header: json(header), claims: json(claims), signature, signed: `${header}.${claims}` };
}

test("a token says who may do what, at which service, and until when", () => {
  const access = [{ type: "repository", name: "team/prover", actions: ["pull"] }] as const;
  const { text, expiresInSeconds, issuedAt } = issue("key/abc", access);
  expect({ expiresInSeconds, issuedAt }).toEqual({ expiresInSeconds: TOKEN_LIFE_S, issuedAt: NOW });
  const seconds = 1_800_000_000;
  expect(read(text).claims).toEqual({
    iss: "elastic",
    sub: "key/abc",
    aud: "images",
    iat: seconds,
    nbf: seconds,
    exp: seconds + TOKEN_LIFE_S,
    jti: expect.stringMatching(/^[0-9a-f-]{36}$/),
    access,
  });
});

test("its signature is that of the key in its own certificate, for which the authority vouches", () => {
  const { header, signature, signed } = read(issue("s", []).text);
  expect(header).toMatchObject({ typ: "JWT", alg: "ES256" });
  const certificate = new X509Certificate(Buffer.from(header.x5c[0], "base64"));
  const root = new X509Certificate(authorityCertificate(authority));
  expect(certificate.verify(root.publicKey)).toBe(true);
  expect(certificate.checkIssued(root)).toBe(true);
  expect(certificate.ca).toBe(false);
  const key = { key: certificate.publicKey, dsaEncoding: "ieee-p1363" } as const;
  expect(verify("sha256", Buffer.from(signed), key, Buffer.from(signature, "base64url"))).toBe(true);
});

test("no two tokens are the same", () => {
  expect(issue("s", []).text).not.toBe(issue("s", []).text);
});

test("with the minute that registries allow for, a token has ended after five", () => {
  expect(TOKEN_LIFE_S + 60).toBeLessThanOrEqual(300);
});
