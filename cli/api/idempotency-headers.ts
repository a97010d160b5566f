/** With the same key the same request creates one thing, however often it is sent. */
export function idempotencyHeaders(key: string | undefined): Readonly<Record<string, string>> {
  return key === undefined ? {} : { "idempotency-key": key };
}
