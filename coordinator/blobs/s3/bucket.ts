/**
 * A prefix of a bucket, and what blobs and logs use of it. What is not there is null; whatever else goes wrong is
 * BlobsUnavailableError, after the client's own few retries.
 */
import type { Readable } from "node:stream";
import {
  AbortMultipartUploadCommand,
  CopyObjectCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { BlobsUnavailableError } from "../blob-store.ts";
import { copyInParts } from "./copy-in-parts.ts";
import type { S3Location } from "./s3-location.ts";

/** S3 takes 10,000 parts: with these an object may have 78 GiB. */
export const PART_BYTES = 8 * 1024 * 1024;
const PARTS_AT_ONCE = 2;
/** As much as S3 copies in one request. */
const COPY_BYTES_MAX = 5 * 1024 ** 3;

export interface StoredObject {
  readonly bytes: number;
  /** To the second: it was written at most one later. */
  readonly modifiedAtMs: number;
}

export interface ListedObject extends StoredObject {
  /** Without the prefix. */
  readonly key: string;
}

export class Bucket {
  readonly #client: S3Client;
  readonly #bucket: string;
  readonly #prefix: string;
  readonly #copyBytesMax: number;

  constructor(client: S3Client, location: S3Location, copyBytesMax: number = COPY_BYTES_MAX) {
    this.#client = client;
    this.#bucket = location.bucket;
    this.#prefix = location.prefix;
    this.#copyBytesMax = copyBytesMax;
  }

  /** The store compares the digest with what came. */
  async put(key: string, body: Uint8Array, sha256?: Buffer): Promise<void> {
    const checksum = sha256 === undefined ? {} : { ChecksumSHA256: sha256.toString("base64") };
    await checked(this.#client.send(new PutObjectCommand({ ...this.#at(key), Body: body, ...checksum })));
  }

  /** Does nothing where there is one. */
  async putIfAbsent(key: string, body: Uint8Array): Promise<void> {
    const command = new PutObjectCommand({ ...this.#at(key), Body: body, IfNoneMatch: "*" });
    await checked(this.#client.send(command), [409, 412]);
  }

  /** In parts, as they come. Nothing is left of one that breaks off. */
  async putStream(key: string, body: Readable): Promise<void> {
    const params = { ...this.#at(key), Body: body };
    const upload = new Upload({ client: this.#client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE });
    await checked(upload.done());
  }

  async head(key: string): Promise<StoredObject | null> {
    const found = await checked(this.#client.send(new HeadObjectCommand(this.#at(key))), [404]);
    return found && { bytes: found.ContentLength ?? 0, modifiedAtMs: found.LastModified?.getTime() ?? 0 };
  }

  /** `bytes` is the full size. Null too where there is nothing from the offset on. */
  async get(key: string, offset: number): Promise<{ readonly bytes: number; readonly stream: Readable } | null> {
    const range = offset === 0 ? {} : { Range: `bytes=${offset}-` };
    const found = await checked(this.#client.send(new GetObjectCommand({ ...this.#at(key), ...range })), [404, 416]);
    if (found === null) return null;
    const total = /\/(\d+)$/.exec(found.ContentRange ?? "")?.[1];
    return { bytes: total === undefined ? (found.ContentLength ?? 0) : Number(total), stream: found.Body as Readable };
  }

  /** At most so many bytes from there on; empty where there are none. */
  async readRange(key: string, from: number, bytesMax: number): Promise<Buffer | null> {
    const range = { Range: `bytes=${from}-${from + bytesMax - 1}` };
    const found = await checked(this.#client.send(new GetObjectCommand({ ...this.#at(key), ...range })), [404, 416]);
    if (found?.Body !== undefined) return Buffer.from((await checked(found.Body.transformToByteArray())) ?? []);
    return (await this.head(key)) && Buffer.alloc(0);
  }

  /** All of it, where it is small. */
  async read(key: string): Promise<string | null> {
    const found = await checked(this.#client.send(new GetObjectCommand(this.#at(key))), [404]);
    return found?.Body === undefined ? null : await checked(found.Body.transformToString());
  }

  async copy(from: string, to: string, bytes: number): Promise<void> {
    const source = { CopySource: encodeURI(`${this.#bucket}/${this.#prefix}${from}`) };
    const copied =
      bytes <= this.#copyBytesMax
        ? this.#client.send(new CopyObjectCommand({ ...this.#at(to), ...source }))
        : copyInParts(this.#client, { ...this.#at(to), ...source }, bytes, this.#copyBytesMax);
    await checked<unknown>(copied);
  }

  async remove(key: string, abortSignal?: AbortSignal): Promise<void> {
    const options = abortSignal === undefined ? {} : { abortSignal };
    await checked(this.#client.send(new DeleteObjectCommand(this.#at(key)), options), [404]);
  }

  /** In pages, in the order of the keys. */
  async *list(under: string): AsyncGenerator<readonly ListedObject[]> {
    let token: string | undefined;
    do {
      const page = await checked(
        this.#client.send(
          new ListObjectsV2Command({ Bucket: this.#bucket, Prefix: this.#prefix + under, ContinuationToken: token }),
        ),
      );
      yield (page?.Contents ?? []).map(({ Key = "", Size = 0, LastModified }) => ({
        key: Key.slice(this.#prefix.length),
        bytes: Size,
        modifiedAtMs: LastModified?.getTime() ?? 0,
      }));
      token = page?.NextContinuationToken;
    } while (token !== undefined);
  }

  /** Of uploads that broke off with their process, where the store lists them. */
  async abortUploads(under: string, beforeMs: number): Promise<void> {
    const command = new ListMultipartUploadsCommand({ Bucket: this.#bucket, Prefix: this.#prefix + under });
    const found = await checked(this.#client.send(command), [501]);
    for (const { Key, UploadId, Initiated } of found?.Uploads ?? []) {
      if ((Initiated?.getTime() ?? 0) >= beforeMs) continue;
      await checked(this.#client.send(new AbortMultipartUploadCommand({ Bucket: this.#bucket, Key, UploadId })), [404]);
    }
  }

  close(): void {
    this.#client.destroy();
  }

  #at(key: string): { readonly Bucket: string; readonly Key: string } {
    return { Bucket: this.#bucket, Key: this.#prefix + key };
  }
}

/** Null for a response with one of these statuses. */
async function checked<T>(response: Promise<T>, nullFor: readonly number[] = []): Promise<T | null> {
  try {
    return await response;
  } catch (error) {
    const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined;
    if (status !== undefined && nullFor.includes(status)) return null;
    const message = error instanceof Error ? error.message : String(error);
    throw new BlobsUnavailableError(`the object store: ${message}`, { cause: error });
  }
}
