/** What the claims of an OpenID Connect provider say of an account. Pure. */
import type { Identity } from "../domain/account.ts";

/** Of the ID token and the user's info; only issuer and subject are sure to be there. */
export interface Claims {
  readonly iss: string;
  readonly sub: string;
  readonly [claim: string]: unknown;
}

export function identityOf(claims: Claims): Identity {
  const { iss: issuer, sub: subject, preferred_username: username, email, name } = claims;
  const [login = subject] = [username, email, name].filter(isText);
  return { issuer, subject, login, domains: domainsOf(claims) };
}

export function groupsOf({ groups }: Claims): readonly string[] {
  return Array.isArray(groups) ? groups.filter(isText) : [];
}

/**
 * A provider vouches for the domain that it says an account is managed by (`hd`, as Google has it), and for a verified address
 * in a domain that is its own. That it has verified an address elsewhere says who reads mail there, not who belongs there.
 */
function domainsOf({ iss, hd, email, email_verified: isVerified }: Claims): readonly string[] {
  const domains = isText(hd) ? [hd.toLowerCase()] : [];
  const domain = isText(email) && isVerified === true ? domainOf(email) : null;
  return domain !== null && isOwn(iss, domain) ? [...domains, domain] : domains;
}

function domainOf(address: string): string | null {
  const [, domain] = /^[^@\s]+@([^@\s]+)$/.exec(address) ?? [];
  return domain?.toLowerCase() ?? null;
}

function isOwn(issuer: string, domain: string): boolean {
  const host = URL.parse(issuer)?.hostname ?? "";
  return host === domain || host.endsWith(`.${domain}`);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
