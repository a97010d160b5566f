/**
 * A transaction as the bytes of a TxnRequest, measured first and written once: every task pays for two, and the generated
 * code makes an object of each operation and a buffer of each level.
 */
import type { Compare, Put, Txn } from "../kv.ts";

/** Fields, as tags: number times eight, plus the kind of what follows. */
const COMPARE = 0x0a;
const SUCCESS = 0x12;
const FAILURE = 0x1a;
const COMPARE_TARGET = 0x10;
const COMPARE_KEY = 0x1a;
const COMPARE_MOD_REVISION = 0x30;
const OP_RANGE = 0x0a;
const OP_PUT = 0x12;
const OP_DELETE = 0x1a;
const KEY = 0x0a;
const PUT_VALUE = 0x12;
const PUT_LEASE = 0x18;

const TARGET_MOD = 2;

/** When the compares do not hold, etcd reads their keys at the same revision. Throws unless keys are ASCII. */
export function encodeTxn({ compares, puts, deletes }: Txn): Buffer {
  let bytes = 0;
  for (const compare of compares) {
    bytes += fieldBytes(compareBytes(compare)) + fieldBytes(fieldBytes(fieldBytes(compare.key.length)));
  }
  for (const put of puts) bytes += fieldBytes(fieldBytes(putBytes(put)));
  for (const key of deletes) bytes += fieldBytes(fieldBytes(fieldBytes(key.length)));
  const to = new Target(bytes);
  for (const compare of compares) writeCompare(to, compare);
  for (const put of puts) writePut(to, put);
  for (const key of deletes) writeKeyOnly(to, SUCCESS, OP_DELETE, key);
  for (const { key } of compares) writeKeyOnly(to, FAILURE, OP_RANGE, key);
  return to.bytes;
}

function compareBytes({ key, revision }: Compare): number {
  return 2 + fieldBytes(key.length) + 1 + varintBytes(revision);
}

function putBytes({ key, value, leaseId }: Put): number {
  const ofValue = value.length === 0 ? 0 : fieldBytes(value.length);
  return fieldBytes(key.length) + ofValue + (leaseId === undefined ? 0 : 1 + varintBytesOfLease(BigInt(leaseId)));
}

function writeCompare(to: Target, compare: Compare): void {
  to.begin(COMPARE, compareBytes(compare));
  to.begin(COMPARE_TARGET, TARGET_MOD);
  to.text(COMPARE_KEY, compare.key);
  to.begin(COMPARE_MOD_REVISION, compare.revision);
}

function writePut(to: Target, put: Put): void {
  const bytes = putBytes(put);
  to.begin(SUCCESS, fieldBytes(bytes));
  to.begin(OP_PUT, bytes);
  to.text(KEY, put.key);
  if (put.value.length > 0) to.data(PUT_VALUE, put.value);
  if (put.leaseId !== undefined) to.lease(PUT_LEASE, BigInt(put.leaseId));
}

/** An operation of a transaction that has nothing but a key. */
function writeKeyOnly(to: Target, branch: number, operation: number, key: string): void {
  const bytes = fieldBytes(key.length);
  to.begin(branch, fieldBytes(bytes));
  to.begin(operation, bytes);
  to.text(KEY, key);
}

/** Of a field with so many bytes, behind its tag and their number. */
function fieldBytes(bytes: number): number {
  return 1 + varintBytes(bytes) + bytes;
}

function varintBytes(value: number): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes++;
  return bytes;
}

function varintBytesOfLease(value: bigint): number {
  let bytes = 1;
  for (let rest = value; rest >= 0x80n; rest >>= 7n) bytes++;
  return bytes;
}

class Target {
  readonly bytes: Buffer;
  #at = 0;

  constructor(bytes: number) {
    this.bytes = Buffer.allocUnsafe(bytes);
  }

  /** A tag, and the number behind it. */
  begin(tag: number, value: number): void {
    this.bytes[this.#at++] = tag;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.bytes[this.#at++] = (rest % 0x80) | 0x80;
    this.bytes[this.#at++] = rest;
  }

  text(tag: number, value: string): void {
    this.begin(tag, value.length);
    if (Buffer.byteLength(value) !== value.length) throw new Error(`a key of the store is not ASCII: ${value}`);
    this.#at += this.bytes.write(value, this.#at, "latin1");
  }

  data(tag: number, value: Buffer): void {
    this.begin(tag, value.length);
    this.bytes.set(value, this.#at);
    this.#at += value.length;
  }

  /** An id of etcd takes 63 bits. */
  lease(tag: number, value: bigint): void {
    this.bytes[this.#at++] = tag;
    let rest = value;
    for (; rest >= 0x80n; rest >>= 7n) this.bytes[this.#at++] = Number(rest & 0x7fn) | 0x80;
    this.bytes[this.#at++] = Number(rest);
  }
}
