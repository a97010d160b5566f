/**
 * The image that a build left, as an OCI image layout (image specification 1.0, image-layout.md). What wrote it ran a
 * program of somebody unknown, so it is read as any input: bounded, no symbolic link followed, each blob held to its
 * digest.
 */
import { createHash } from "node:crypto";
import { constants, createReadStream } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { BuildFailure } from "../../domain/build-failure.ts";

const DIGEST = /^sha256:[0-9a-f]{64}$/;
const DOCUMENT_BYTES_MAX = 4 * 1024 * 1024;

const descriptorSchema = z.object({
  mediaType: z.string().max(255),
  digest: z.string().regex(DIGEST),
  size: z.int().nonnegative(),
});
const indexSchema = z.object({ manifests: z.array(descriptorSchema).length(1) });
const manifestSchema = z.object({
  mediaType: z.string().max(255),
  config: descriptorSchema,
  layers: z.array(descriptorSchema).max(1_000),
});
const configSchema = z.object({
  architecture: z.string(),
  os: z.string(),
  config: z
    .object({
      Entrypoint: z.array(z.string()).nullish(),
      Cmd: z.array(z.string()).nullish(),
      ExposedPorts: z.record(z.string(), z.unknown()).nullish(),
    })
    .optional(),
});

export type BlobDescriptor = z.output<typeof descriptorSchema>;
export type ImageConfig = z.output<typeof configSchema>;

export interface ImageLayout {
  readonly manifest: BlobDescriptor & { readonly text: Buffer };
  readonly config: ImageConfig;
  /** Configuration and layers: all that goes before the manifest. */
  readonly blobs: readonly BlobDescriptor[];
  open(blob: BlobDescriptor): Promise<AsyncIterable<Buffer>>;
}

/** Throws BuildFailure. */
export async function readImageLayout(folder: string): Promise<ImageLayout> {
  const blobPath = async ({ digest }: BlobDescriptor): Promise<string> => {
    for (const part of ["blobs", join("blobs", "sha256")]) {
      if (!(await lstat(join(folder, part))).isDirectory()) throw broken("its folder of blobs is none");
    }
    return join(folder, "blobs", "sha256", digest.slice("sha256:".length));
  };
  const document = async (blob: BlobDescriptor): Promise<Buffer> => {
    const bytes = await readDocument(await blobPath(blob));
    const digest = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    if (digest !== blob.digest) throw broken(`${blob.digest} has another digest`);
    return bytes;
  };
  try {
    const { manifests } = indexSchema.parse(parse(await readDocument(join(folder, "index.json"))));
    const [descriptor] = manifests;
    if (descriptor === undefined) throw broken("it has no manifest");
    const text = await document(descriptor);
    const manifest = manifestSchema.parse(parse(text));
    return {
      manifest: { ...descriptor, text },
      config: configSchema.parse(parse(await document(manifest.config))),
      blobs: [manifest.config, ...manifest.layers],
      open: async (blob) => {
        const file = await openRegular(await blobPath(blob));
        const { size } = await file.stat();
        if (size !== blob.size) {
          await file.close();
          throw broken(`${blob.digest} has ${size} bytes in place of ${blob.size}`);
        }
        return createReadStream("", { fd: file, autoClose: true }) as AsyncIterable<Buffer>;
      },
    };
  } catch (error) {
    if (error instanceof BuildFailure) throw error;
    throw broken(error instanceof z.ZodError ? "a document of it is malformed" : String(error));
  }
}

async function readDocument(path: string): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    if (size > DOCUMENT_BYTES_MAX) throw broken(`a document of it has ${size} bytes`);
    return await file.readFile();
  } finally {
    await file.close();
  }
}

/** Of a pipe or a device, opening would wait or do something. */
async function openRegular(path: string): Promise<FileHandle> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  if ((await file.stat()).isFile()) return file;
  await file.close();
  throw broken("a file of it is none");
}

function parse(text: Buffer): unknown {
  return JSON.parse(text.toString("utf8"));
}

function broken(why: string): BuildFailure {
  return new BuildFailure("image_invalid", `the image that came out cannot be read: ${why}`);
}
