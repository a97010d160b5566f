/** The password of an `Authorization: Basic` header (RFC 7617); any user name will do. */
const BASIC = /^basic +([A-Za-z0-9+/=_-]+) *$/i;

/** Undefined without such a header, and empty for one that cannot be read. */
export function basicPassword(header: string | undefined): string | undefined {
  if (header === undefined) return undefined;
  const [, encoded = ""] = BASIC.exec(header) ?? [];
  const pair = Buffer.from(encoded, "base64").toString("utf8");
  const colon = pair.indexOf(":");
  return colon < 0 ? "" : pair.slice(colon + 1);
}
