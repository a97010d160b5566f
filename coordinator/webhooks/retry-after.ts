/** For how long the `Retry-After` of a response requests a pause (RFC 9110, 10.2.3). Pure. */

/** In milliseconds from `now`; null where it does not say, or not so that it can be read. */
export function readRetryAfter(header: string | undefined, now: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // The one form of date that may be sent: others are read differently by different readers.
  if (!/^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
