/**
 * The token by which a GitHub App identifies itself (RFC 7519 with RS256).
 * https://docs.github.com/apps/creating-github-apps/authenticating-with-a-github-app/generating-a-json-web-token-jwt-for-a-github-app
 */
import { createPrivateKey, sign } from "node:crypto";
import type { Instant } from "@elastic/std/clock.ts";

/** Between the clocks of GitHub and this machine. */
const CLOCKS_APART_SECONDS = 60;
/** GitHub accepts ten minutes. */
const VALID_SECONDS = 540;

/** `privateKey` is PEM. Throws where it is no RSA key. */
export function appJwt(appId: string, privateKey: string, now: Instant): string {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== "rsa") throw new Error("the private key of the app is no RSA key");
  const seconds = Math.floor(now / 1000);
  const claims = { iss: appId, iat: seconds - CLOCKS_APART_SECONDS, exp: seconds + VALID_SECONDS };
  const signed = `${encode({ alg: "RS256", typ: "JWT" })}.${encode(claims)}`;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}
