/**
 * Logs in a bucket of an object store, below `logs/<team>/<task>/<attempt>/`: a piece is a separate object, written
 * before it is acknowledged, so a log outlives the coordinator that took it and every other one reads it. Small ones
 * are merged as they gather and when the log is complete. What is known of a log's objects is cached for a while, and
 * only ever too little of it: it is read again before a piece is rejected or a reader reaches the end.
 */
import { LRUCache } from "lru-cache";
import type { Bucket } from "../../blobs/s3/bucket.ts";
import { LOGS } from "../../blobs/s3/keys.ts";
import { attemptsOf, logPath, taskPath } from "../log-path.ts";
import type { LogRef, LogState, TaskLogs, TaskRef } from "../task-logs.ts";
import { endName, type LogLayout, layoutOf, segmentName, withSegment } from "./log-layout.ts";
import { mergeSegments, SEGMENTS_MAX } from "./merge-segments.ts";

/** So many logs of which the objects are known; of others they are listed. */
const KNOWN_MAX = 1_000;
/** Of a read whose objects are merged from under it. */
const TRIES = 4;

export function openS3TaskLogs(bucket: Bucket): TaskLogs {
  return new S3TaskLogs(bucket);
}

class S3TaskLogs implements TaskLogs {
  readonly #bucket: Bucket;
  /** By the prefix of its objects. */
  readonly #known = new LRUCache<string, LogLayout>({ max: KNOWN_MAX });

  constructor(bucket: Bucket) {
    this.#bucket = bucket;
  }

  async append(ref: LogRef, offset: number, data: Uint8Array): Promise<LogState> {
    const prefix = prefixOf(ref);
    const layout = await this.#reaching(prefix, offset);
    const fresh = data.subarray(layout.bytes - offset);
    if (layout.complete || offset > layout.bytes || fresh.byteLength === 0) return stateOf(layout);
    const added = { from: layout.bytes, to: layout.bytes + fresh.byteLength };
    await this.#bucket.put(prefix + segmentName(added), fresh);
    const now = this.#know(prefix, withSegment(this.#known.get(prefix) ?? layout, added));
    if (now.cover.length >= SEGMENTS_MAX) await this.#merge(prefix, now);
    return { bytes: added.to, complete: false };
  }

  async complete(ref: LogRef): Promise<void> {
    const prefix = prefixOf(ref);
    const layout = await this.#look(prefix);
    if (layout.complete || layout.bytes === 0) return;
    await this.#bucket.put(prefix + endName(layout.bytes), Buffer.alloc(0));
    await this.#merge(prefix, layout);
  }

  async state(ref: LogRef): Promise<LogState | null> {
    const layout = await this.#look(prefixOf(ref));
    return layout.bytes === 0 ? null : stateOf(layout);
  }

  async read(ref: LogRef, from: number, bytesMax: number): Promise<Buffer> {
    const prefix = prefixOf(ref);
    const pieces: Buffer[] = [];
    let bytes = 0;
    for (let tries = 0; bytes < bytesMax && tries < TRIES; ) {
      const layout = await this.#reaching(prefix, from + bytes + 1);
      const piece = await this.#readPiece(prefix, layout, from + bytes, bytesMax - bytes);
      if (piece === "ended") break;
      if (piece === "gone") {
        this.#known.delete(prefix);
        tries++;
        continue;
      }
      pieces.push(piece);
      bytes += piece.length;
    }
    return Buffer.concat(pieces);
  }

  async attempts(task: TaskRef): Promise<readonly number[]> {
    const names = await this.#names(`${LOGS}${taskPath(task)}/`);
    return attemptsOf(names.map((name) => name.split("/", 1)[0] ?? ""));
  }

  async remove(task: TaskRef): Promise<void> {
    const prefix = `${LOGS}${taskPath(task)}/`;
    for (const known of [...this.#known.keys()]) if (known.startsWith(prefix)) this.#known.delete(known);
    for (const name of await this.#names(prefix)) await this.#bucket.remove(prefix + name);
  }

  async totalBytes(): Promise<number> {
    let total = 0;
    for await (const page of this.#bucket.list(LOGS)) for (const { bytes } of page) total += bytes;
    return total;
  }

  async #readPiece(
    prefix: string,
    { cover, bytes: end }: LogLayout,
    at: number,
    bytesMax: number,
  ): Promise<Buffer | "ended" | "gone"> {
    const segment = cover.find(({ from, to }) => from <= at && at < Math.min(to, end));
    if (segment === undefined) return "ended";
    const bytes = Math.min(bytesMax, segment.to - at, end - at);
    const piece = await this.#bucket.readRange(prefix + segmentName(segment), at - segment.from, bytes);
    return piece === null || piece.length === 0 ? "gone" : piece;
  }

  async #merge(prefix: string, layout: LogLayout): Promise<void> {
    await mergeSegments(this.#bucket, prefix, layout);
    this.#known.delete(prefix);
  }

  /** What is known, if it goes that far, else what there is now. */
  async #reaching(prefix: string, bytes: number): Promise<LogLayout> {
    const known = this.#known.get(prefix);
    return known !== undefined && known.bytes >= bytes ? this.#know(prefix, known) : await this.#look(prefix);
  }

  async #look(prefix: string): Promise<LogLayout> {
    return this.#know(prefix, layoutOf(await this.#names(prefix)));
  }

  #know(prefix: string, layout: LogLayout): LogLayout {
    this.#known.set(prefix, layout);
    return layout;
  }

  /** Of the objects, without the prefix. */
  async #names(prefix: string): Promise<string[]> {
    const names: string[] = [];
    for await (const page of this.#bucket.list(prefix)) names.push(...page.map(({ key }) => key.slice(prefix.length)));
    return names;
  }
}

function prefixOf(ref: LogRef): string {
  return `${LOGS}${logPath(ref)}/`;
}

function stateOf({ bytes, complete }: LogLayout): LogState {
  return { bytes, complete };
}
