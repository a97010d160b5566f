/** A small OpenID Connect provider, whose statements a test can tamper with. */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { CLIENT, CodeGrants } from "./code-grants.ts";
import { type HttpHost, sendJson, startHttpHost } from "./http-host.ts";

type Claims = Readonly<Record<string, unknown>>;

export interface OidcHost extends HttpHost {
  /** Who is logged in there: further claims of the ID token and the user's info. */
  claims: Claims & { readonly sub: string };
  /** What becomes of the next ID tokens. */
  tamper: (token: IdToken) => IdToken;
  /** What the user's info has in place of the claims. */
  userInfo: Claims | null;
}

export interface IdToken {
  readonly header: { readonly alg: string; readonly kid: string };
  readonly claims: Claims;
  readonly key: KeyObject;
}

interface Granted {
  readonly nonce: string;
  readonly claims: Claims;
}

const LIFETIME_SECONDS = 300;

export async function startOidcHost(claims: OidcHost["claims"]): Promise<OidcHost> {
  const grants = new CodeGrants<Granted>();
  const tokens = new Map<string, Claims>();
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const host = await startHttpHost({
    "/.well-known/openid-configuration": (_request, response) => sendJson(response, 200, metadataOf(host.url)),
    "/jwks": (_request, response) =>
      sendJson(response, 200, {
        keys: [{ ...publicKey.export({ format: "jwk" }), kid: "1", alg: "ES256", use: "sig" }],
      }),
    "/authorize": ({ url: { searchParams } }, response) => {
      const granted = { nonce: searchParams.get("nonce") ?? "", claims: oidc.claims };
      response.writeHead(302, { location: grants.grant(searchParams, granted).href }).end();
    },
    "/token": ({ form, headers }, response) => {
      if (credentialsIn(headers.authorization) !== `${CLIENT.id}:${CLIENT.secret}`)
        return sendJson(response, 401, { error: "invalid_client" });
      const granted = grants.redeem(form);
      if (granted === null) return sendJson(response, 400, { error: "invalid_grant" });
      const accessToken = randomBytes(16).toString("hex");
      tokens.set(accessToken, granted.claims);
      const now = Math.floor(Date.now() / 1000);
      const base = { iss: host.url, aud: CLIENT.id, iat: now, exp: now + LIFETIME_SECONDS, nonce: granted.nonce };
      const token = { header: { alg: "ES256", kid: "1" }, claims: { ...base, ...granted.claims }, key: privateKey };
      const idToken = signed(oidc.tamper(token));
      sendJson(response, 200, { access_token: accessToken, token_type: "Bearer", expires_in: 60, id_token: idToken });
    },
    "/userinfo": ({ headers }, response) => {
      const known = tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1] ?? "");
      if (known === undefined) response.writeHead(401, { "www-authenticate": 'Bearer error="invalid_token"' }).end();
      else sendJson(response, 200, oidc.userInfo ?? known);
    },
  });
  const oidc: OidcHost = Object.assign(host, { claims, tamper: (token: IdToken) => token, userInfo: null });
  return oidc;
}

/** Decoded as RFC 6749 §2.3.1 has it. */
function credentialsIn(authorization = ""): string {
  return decodeURIComponent(Buffer.from(authorization.replace(/^Basic /, ""), "base64").toString());
}

function metadataOf(url: string): object {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ["code"],
    subject_types_supported: ["public"],
    scopes_supported: ["openid", "profile", "email", "groups"],
    id_token_signing_alg_values_supported: ["ES256"],
    code_challenge_methods_supported: ["S256"],
  };
}

/** As a JWS in compact form (RFC 7515). */
function signed({ header, claims, key }: IdToken): string {
  const text = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url")).join(".");
  if (header.alg === "none") return `${text}.`;
  return `${text}.${sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

/** Where the provider sends a browser that comes with a login. */
export async function authorizeAtOidc(address: string): Promise<string> {
  const redirect = await fetch(address, { redirect: "manual" });
  const back = redirect.headers.get("location");
  if (back === null) throw new Error(await redirect.text());
  return back;
}
