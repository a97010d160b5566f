/**
 * Records as bytes: JSON with the op id of the commit that wrote them, by which a writer whose response was lost
 * recognises its own write, and with the version of their kind where that is not the first.
 */
import { parseAnyRecordKey, type RecordKind } from "./keys.ts";
import { schemaOf } from "./record-schemas.ts";
import { whyMalformed, whyUnreadable } from "./why-unreadable.ts";

/** etcd is for small records; what grows beyond this belongs into blobs. */
export const RECORD_BYTES_MAX = 8 * 1024;

export class RecordTooLargeError extends Error {
  override readonly name = "RecordTooLargeError";
}

/** A later program wrote it, or it is malformed: this one neither reads nor changes it. */
export class UnreadableRecordError extends Error {
  override readonly name = "UnreadableRecordError";
  /** No program of any version reads it. */
  readonly isMalformed: boolean;

  constructor(message: string, isMalformed: boolean, options?: ErrorOptions) {
    super(message, options);
    this.isMalformed = isMalformed;
  }
}

export interface StoredRecord {
  readonly op: string;
  /** Of the record's kind. */
  readonly version: number;
  readonly value: object;
}

export function encodeRecord(key: string, op: string, value: object): Buffer {
  const version = versionOf(key);
  const ofVersion = version === 1 ? "" : `"version":${version},`;
  const bytes = Buffer.from(`{"op":"${op}",${ofVersion}"value":${JSON.stringify(value)}}`);
  if (bytes.length > RECORD_BYTES_MAX) {
    throw new RecordTooLargeError(
      `${key} would take ${bytes.length} bytes; a record takes at most ${RECORD_BYTES_MAX}`,
    );
  }
  return bytes;
}

const OP_BEGINS = Buffer.from('{"op":"');
const QUOTE = 0x22;

/** Of the commit that wrote a record, without parsing it; null where it does not begin as this program writes records. */
export function opOf(bytes: Buffer): string | null {
  const begin = OP_BEGINS.length;
  if (bytes.compare(OP_BEGINS, 0, begin, 0, Math.min(begin, bytes.length)) !== 0) return null;
  const end = bytes.indexOf(QUOTE, begin);
  return end < 0 ? null : bytes.toString("latin1", begin, end);
}

/** The value of a record that this program understands; throws UnreadableRecordError for any other. */
export function readRecord(kind: RecordKind, id: string, bytes: Buffer): object {
  const { version, value } = decodeKnown(kind, id, bytes);
  const schema = schemaOf(kind);
  // First: what a later version left out, this one does not miss.
  const why = whyUnreadable(schema, version, value);
  if (why !== null) {
    throw new UnreadableRecordError(`the record ${kind}/${id} was written by a later version: ${why}`, false);
  }
  const lack = whyMalformed(schema, value);
  if (lack === null) return value;
  throw new UnreadableRecordError(`the record ${kind}/${id} is malformed: ${lack}`, true);
}

/** Whether no program of any version reads it. */
export function isMalformedRecord(kind: RecordKind, bytes: Buffer): boolean {
  try {
    readRecord(kind, "", bytes);
    return false;
  } catch (error) {
    return error instanceof UnreadableRecordError && error.isMalformed;
  }
}

function decodeKnown(kind: RecordKind, id: string, bytes: Buffer): StoredRecord {
  try {
    return decodeRecord(bytes);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new UnreadableRecordError(`the record ${kind}/${id} is malformed: ${why}`, true, { cause: error });
  }
}

function versionOf(key: string): number {
  const of = parseAnyRecordKey(key);
  return of === null ? 1 : schemaOf(of.kind).version;
}

/** Of any program, whether this one understands it or not. */
export function decodeRecord(bytes: Buffer): StoredRecord {
  const stored: unknown = JSON.parse(bytes.toString("utf8"));
  if (typeof stored !== "object" || stored === null || !("op" in stored) || !("value" in stored)) {
    throw new Error("not a record: it has no op and value");
  }
  const { op, value } = stored;
  const version = "version" in stored ? stored.version : 1;
  if (typeof version !== "number") throw new Error("not a record: its version is no number");
  if (typeof op !== "string" || typeof value !== "object" || value === null) {
    throw new Error("not a record: its op or value has the wrong type");
  }
  return { op, version, value };
}
