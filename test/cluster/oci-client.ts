/** A registry's client in plain fetch (OCI distribution specification 1.1), for what an engine would never try. */
import { createHash } from "node:crypto";

export interface OciResponse {
  readonly status: number;
  readonly text: string;
  readonly headers: Headers;
}

export interface OciClient {
  /** One request below `/v2/`. */
  request(
    method: string,
    path: string,
    body?: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<OciResponse>;
  /** Uploads a blob and returns its digest. */
  pushBlob(repository: string, blob: string): Promise<string>;
  /** An image of one layer; returns the digest of its manifest. */
  pushImage(repository: string, tag: string, layer: string): Promise<string>;
}

export const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";

export function digestOf(content: string): string {
  return `sha256:${createHash("sha256").update(content).digest("hex")}`;
}

/** `token` goes with each request; none where it is null. */
export function ociClient(host: string, token: string | null): OciClient {
  const base = `http://${host}/v2/`;
  const client: OciClient = {
    async request(method, path, body, headers = {}) {
      const auth = token === null ? {} : { authorization: `Bearer ${token}` };
      const url = new URL(path, base);
      const all = { accept: MANIFEST_TYPE, ...auth, ...headers };
      const response = await fetch(url, { method, headers: all, body: body ?? null });
      return { status: response.status, text: await response.text(), headers: response.headers };
    },
    async pushBlob(repository, blob) {
      const begun = expectStatus(await client.request("POST", `${repository}/blobs/uploads/`), 202);
      const place = new URL(begun.headers.get("location") ?? "", base);
      place.searchParams.set("digest", digestOf(blob));
      expectStatus(await client.request("PUT", place.href, blob, { "content-type": "application/octet-stream" }), 201);
      return digestOf(blob);
    },
    async pushImage(repository, tag, layer) {
      const config = JSON.stringify({ architecture: "amd64", os: "linux", rootfs: { type: "layers", diff_ids: [] } });
      const blobs = await Promise.all([config, layer].map((blob) => client.pushBlob(repository, blob)));
      const [configDigest = "", layerDigest = ""] = blobs;
      const manifest = JSON.stringify({
        schemaVersion: 2,
        mediaType: MANIFEST_TYPE,
        config: { mediaType: "application/vnd.oci.image.config.v1+json", size: config.length, digest: configDigest },
        layers: [{ mediaType: "application/vnd.oci.image.layer.v1.tar", size: layer.length, digest: layerDigest }],
      });
      const headers = { "content-type": MANIFEST_TYPE };
      expectStatus(await client.request("PUT", `${repository}/manifests/${tag}`, manifest, headers), 201);
      return digestOf(manifest);
    },
  };
  return client;
}

function expectStatus(response: OciResponse, status: number): OciResponse {
  if (response.status !== status) throw new Error(`the registry responded ${response.status}: ${response.text}`);
  return response;
}
