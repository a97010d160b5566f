/** Pushes an image of one layer that a test has made: none can be pulled there. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { BlobDescriptor } from "../image/image-layout.ts";
import { pushImage } from "../image/push-image.ts";
import { registryClient } from "../registry/registry-client.ts";

const OCI = "application/vnd.oci.image";

/** A tar file without compression. */
export interface Layer {
  readonly digest: string;
  readonly size: number;
  readonly open: () => AsyncIterable<Buffer>;
}

export interface OneLayerImage {
  readonly layer: Layer;
  readonly env: Readonly<Record<string, string>>;
  readonly entrypoint?: readonly string[];
  /** Without the host. */
  readonly repository: string;
  readonly tag: string;
}

export function layerOf(bytes: Buffer): Layer {
  return { digest: digestOf(bytes), size: bytes.length, open: () => Readable.from([bytes]) };
}

export async function layerOfFile(path: string): Promise<Layer> {
  const hash = createHash("sha256");
  await pipeline(createReadStream(path), hash);
  const { size } = await stat(path);
  return { digest: `sha256:${hash.digest("hex")}`, size, open: () => createReadStream(path) };
}

/** `password` for a registry that requires one. */
export async function pushOneLayer(
  host: string,
  password: string | null,
  { layer, env, entrypoint, repository, tag }: OneLayerImage,
): Promise<void> {
  const config = Buffer.from(
    JSON.stringify({
      architecture: "amd64",
      os: "linux",
      config: {
        Env: Object.entries(env).map(([name, value]) => `${name}=${value}`),
        Cmd: ["/bin/sh"],
        Entrypoint: entrypoint,
      },
      rootfs: { type: "layers", diff_ids: [layer.digest] },
    }),
  );
  const blobs: readonly (Layer & BlobDescriptor)[] = [
    { ...layer, mediaType: `${OCI}.layer.v1.tar` },
    { ...layerOf(config), mediaType: `${OCI}.config.v1+json` },
  ];
  const [layers, configuration] = blobs.map(({ mediaType, digest, size }) => ({ mediaType, digest, size }));
  const mediaType = `${OCI}.manifest.v1+json`;
  const text = Buffer.from(JSON.stringify({ schemaVersion: 2, mediaType, config: configuration, layers: [layers] }));
  const layout = {
    manifest: { mediaType, digest: digestOf(text), size: text.length, text },
    config: { architecture: "amd64", os: "linux" },
    blobs,
    open: async ({ digest }: BlobDescriptor) => {
      const blob = blobs.find((one) => one.digest === digest);
      if (blob === undefined) throw new Error(`there is no ${digest}`);
      return blob.open();
    },
  };
  const target = { registry: registryClient({ host, password }), repository, tag };
  await pushImage(layout, target, new AbortController().signal);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
