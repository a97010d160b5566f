/**
 * Records as bytes: JSON with the op id of the commit that wrote them, by which a writer whose response was lost
 * recognises its own write.
 */

/** etcd is for small records; what grows beyond this belongs into blobs. */
export const RECORD_BYTES_MAX = 8 * 1024;

export class RecordTooLargeError extends Error {
  override readonly name = "RecordTooLargeError";
}

export interface StoredRecord {
  readonly op: string;
  readonly value: object;
}

export function encodeRecord(key: string, op: string, value: object): Buffer {
  const bytes = Buffer.from(`{"op":"${op}","value":${JSON.stringify(value)}}`);
  if (bytes.length > RECORD_BYTES_MAX) {
    throw new RecordTooLargeError(
      `${key} would take ${bytes.length} bytes; a record takes at most ${RECORD_BYTES_MAX}`,
    );
  }
  return bytes;
}

export function decodeRecord(bytes: Buffer): StoredRecord {
  const stored: unknown = JSON.parse(bytes.toString("utf8"));
  if (typeof stored !== "object" || stored === null || !("op" in stored) || !("value" in stored)) {
    throw new Error("not a record: it has no op and value");
  }
  const { op, value } = stored;
  if (typeof op !== "string" || typeof value !== "object" || value === null) {
    throw new Error("not a record: its op or value has the wrong type");
  }
  return { op, value };
}
