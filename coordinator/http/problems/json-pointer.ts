/** JSON pointers (RFC 6901), by which refusals name what is wrong in a body. */

export function escapeToken(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
