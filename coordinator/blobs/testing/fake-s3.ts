/**
 * An object store in this process, as strict as the real ones where test servers are not: it keeps If-None-Match,
 * compares checksums, and copies in parts. Tests see each request before its response, and make some fail.
 */
import { createHash, randomBytes } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { crc32 } from "node:zlib";

export interface FakeS3 extends AsyncDisposable {
  readonly endpoint: string;
  /** By `bucket/key`. */
  readonly objects: Map<string, FakeObject>;
  /** Parts of uploads that are not completed, by upload id. */
  readonly uploads: ReadonlyMap<string, object>;
  /** Called with `METHOD key?query`; the response is sent when it resolves, and is 503 when it rejects. */
  before: (request: string) => Promise<void>;
}

interface FakeObject {
  readonly body: Buffer;
  readonly modifiedAtMs: number;
}

interface Upload {
  readonly name: string;
  readonly parts: Map<number, Buffer>;
  readonly initiatedAtMs: number;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer | string;
}

interface Call {
  readonly method: string;
  /** `bucket/key`, or `bucket`. */
  readonly name: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
}

export async function startFakeS3(): Promise<FakeS3> {
  const store = new Store();
  const fake: Pick<FakeS3, "before"> = { before: async () => undefined };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://fake");
    const name = decodeURIComponent(url.pathname.replace(/^\/|\/$/g, ""));
    const body = await buffer(request);
    const { method = "GET", headers } = request;
    const answer = await fake.before(`${method} ${name}${url.search}`).then(
      () => store.answer({ method, name, query: url.searchParams, headers, body }),
      () => failure(503, "SlowDown"),
    );
    response.writeHead(answer.status, { "x-amz-request-id": "fake", ...answer.headers });
    response.end(method === "HEAD" ? undefined : answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(fake, {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    objects: store.objects,
    uploads: store.uploads,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

class Store {
  readonly objects = new Map<string, FakeObject>();
  readonly uploads = new Map<string, Upload>();

  answer(call: Call): Answer {
    const { method, name, query } = call;
    if (!name.includes("/")) return query.has("uploads") ? this.#listUploads(call) : this.#list(call);
    if (method === "PUT") return query.has("uploadId") ? this.#putPart(call) : this.#put(call);
    if (method === "POST") return query.has("uploads") ? this.#initiate(name) : this.#complete(call);
    if (method === "DELETE") {
      if (query.has("uploadId")) this.uploads.delete(query.get("uploadId") ?? "");
      else this.objects.delete(name);
      return { status: 204 };
    }
    return this.#read(call);
  }

  #put(call: Call): Answer {
    const { name, headers } = call;
    if (headers["if-none-match"] === "*" && this.objects.has(name)) return failure(412, "PreconditionFailed");
    const body = this.#bodyOf(call);
    if (!Buffer.isBuffer(body)) return body;
    this.objects.set(name, { body, modifiedAtMs: Date.now() });
    if (!("x-amz-copy-source" in headers)) return { status: 200, headers: { etag: etagOf(body) } };
    return xml("CopyObjectResult", `<ETag>${etagOf(body)}</ETag>`);
  }

  #putPart(call: Call): Answer {
    const upload = this.uploads.get(call.query.get("uploadId") ?? "");
    if (upload === undefined) return failure(404, "NoSuchUpload");
    const body = this.#bodyOf(call);
    if (!Buffer.isBuffer(body)) return body;
    upload.parts.set(Number(call.query.get("partNumber")), body);
    if (!("x-amz-copy-source" in call.headers)) return { status: 200, headers: { etag: etagOf(body) } };
    return xml("CopyPartResult", `<ETag>${etagOf(body)}</ETag>`);
  }

  /** What was sent or is copied; the response where it is neither. */
  #bodyOf({ headers, body }: Call): Buffer | Answer {
    const from = headers["x-amz-copy-source"];
    if (typeof from === "string") {
      const source = this.objects.get(decodeURIComponent(from));
      if (source === undefined) return failure(404, "NoSuchKey");
      const range = /^bytes=(\d+)-(\d+)$/.exec(String(headers["x-amz-copy-source-range"] ?? ""));
      return range === null ? source.body : source.body.subarray(Number(range[1]), Number(range[2]) + 1);
    }
    const sums = {
      "x-amz-checksum-sha256": createHash("sha256").update(body).digest("base64"),
      "x-amz-checksum-crc32": Buffer.from(crc32(body).toString(16).padStart(8, "0"), "hex").toString("base64"),
    };
    const wrong = Object.entries(sums).some(([header, sum]) => (headers[header] ?? sum) !== sum);
    return wrong ? failure(400, "BadDigest") : body;
  }

  #initiate(name: string): Answer {
    const id = randomBytes(8).toString("hex");
    this.uploads.set(id, { name, parts: new Map(), initiatedAtMs: Date.now() });
    return xml("InitiateMultipartUploadResult", `<UploadId>${id}</UploadId>`);
  }

  #complete({ query, name }: Call): Answer {
    const id = query.get("uploadId") ?? "";
    const upload = this.uploads.get(id);
    if (upload === undefined) return failure(404, "NoSuchUpload");
    const parts = [...upload.parts].sort(([a], [b]) => a - b).map(([, part]) => part);
    this.objects.set(name, { body: Buffer.concat(parts), modifiedAtMs: Date.now() });
    this.uploads.delete(id);
    return xml("CompleteMultipartUploadResult", "<ETag>whole</ETag>");
  }

  #read({ method, name, headers }: Call): Answer {
    const found = this.objects.get(name);
    if (found === undefined) return failure(404, "NoSuchKey");
    const { body, modifiedAtMs } = found;
    const range = /^bytes=(\d+)-(\d*)$/.exec(headers.range ?? "");
    const from = Number(range?.[1] ?? 0);
    if (range !== null && from >= body.length) return failure(416, "InvalidRange");
    const part = body.subarray(from, Math.min(Number(range?.[2] || Infinity), body.length - 1) + 1);
    return {
      status: range === null ? 200 : 206,
      headers: {
        "content-length": String(method === "HEAD" ? body.length : part.length),
        "last-modified": new Date(modifiedAtMs).toUTCString(),
        ...(range === null ? {} : { "content-range": `bytes ${from}-${from + part.length - 1}/${body.length}` }),
      },
      body: part,
    };
  }

  #list({ name: bucket, query }: Call): Answer {
    const after = query.get("continuation-token") ?? "";
    const prefix = query.get("prefix") ?? "";
    const names = [...this.objects.keys()]
      .filter((name) => name.startsWith(`${bucket}/${prefix}`) && name > after)
      .sort();
    const max = Number(query.get("max-keys") ?? 1_000);
    const items = names.slice(0, max).map((name) => {
      const { body, modifiedAtMs } = this.objects.get(name) ?? { body: Buffer.alloc(0), modifiedAtMs: 0 };
      const time = `${new Date(modifiedAtMs).toISOString().slice(0, 19)}.000Z`;
      const key = name.slice(bucket.length + 1);
      return `<Contents><Key>${key}</Key><Size>${body.length}</Size><LastModified>${time}</LastModified></Contents>`;
    });
    const more = names.length > max ? `<NextContinuationToken>${names[max - 1]}</NextContinuationToken>` : "";
    return xml("ListBucketResult", `<IsTruncated>${more !== ""}</IsTruncated>${more}${items.join("")}`);
  }

  #listUploads({ name: bucket, query }: Call): Answer {
    const items = [...this.uploads]
      .filter(([, { name }]) => name.startsWith(`${bucket}/${query.get("prefix") ?? ""}`))
      .map(([id, { name, initiatedAtMs }]) => {
        const time = new Date(initiatedAtMs).toISOString();
        const key = name.slice(bucket.length + 1);
        return `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${time}</Initiated></Upload>`;
      });
    return xml("ListMultipartUploadsResult", items.join(""));
  }
}

function etagOf(body: Buffer): string {
  return `"${createHash("md5").update(body).digest("hex")}"`;
}

function xml(root: string, inner: string): Answer {
  const body = `<?xml version="1.0" encoding="UTF-8"?><${root}>${inner}</${root}>`;
  return { status: 200, headers: { "content-type": "application/xml" }, body };
}

function failure(status: number, code: string): Answer {
  return { ...xml("Error", `<Code>${code}</Code><Message>${code}</Message>`), status };
}
