/**
 * A way into the fleet for one machine: whoever has the token gets a certificate for its node name, once. While the
 * token lives the same key gets the same response, so that a machine whose response was lost may repeat the request.
 */
import type { Instant } from "@elastic/std/clock.ts";

export interface JoinToken {
  readonly id: string;
  /** Null: of the first name that it is used for, if no node has it yet. */
  readonly nodeName: string | null;
  /** SHA-256 of the token's secret, lower-case hexadecimal; the token is shown once. */
  readonly secretSha256: string;
  /** The user who made it, or null for an operator at the machine. */
  readonly creatorId: string | null;
  readonly createdAt: Instant;
  readonly expiresAt: Instant;
  readonly use: TokenUse | null;
}

export interface TokenUse {
  readonly at: Instant;
  readonly nodeName: string;
  /** SHA-256 of the key that the certificate is for. */
  readonly publicKeySha256: string;
  readonly certificatePem: string;
  readonly notAfter: Instant;
}

export const TOKEN_SECONDS_DEFAULT = 600;
export const TOKEN_SECONDS_MAX = 86_400;
/** Expired ones are forgotten when the next is made. */
export const OPEN_TOKENS_MAX = 1000;

const NODE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
export const NODE_NAME_RULE = "1 to 64 letters, digits, dots, dashes and underscores, a letter or digit first";

export function isNodeName(text: string): boolean {
  return NODE_NAME.test(text);
}

export type TokenVerdict =
  | { readonly kind: "first" }
  | { readonly kind: "again"; readonly use: TokenUse }
  | { readonly kind: "refused"; readonly why: "expired" | "used" | "other_node" };

/** Whether the token opens anything for that key of that node. */
export function judgeToken(
  token: JoinToken,
  asker: { readonly nodeName: string; readonly publicKeySha256: string },
  now: Instant,
): TokenVerdict {
  if (now >= token.expiresAt) return { kind: "refused", why: "expired" };
  const boundTo = token.use?.nodeName ?? token.nodeName;
  if (token.use !== null && token.use.publicKeySha256 !== asker.publicKeySha256)
    return { kind: "refused", why: "used" };
  if (boundTo !== null && boundTo !== asker.nodeName) return { kind: "refused", why: "other_node" };
  return token.use === null ? { kind: "first" } : { kind: "again", use: token.use };
}

export function usedToken(token: JoinToken, use: TokenUse): JoinToken {
  return { ...token, use };
}
