/**
 * An image as the OCI image specification 1.1 has it, as JSON texts: configuration, manifest, index, and the list with which
 * `docker load` of engines before 25 finds the same blobs. Pure.
 */
import { createHash } from "node:crypto";
import type { ImageSettings } from "../programs.ts";

export interface ImageIdentity {
  readonly name: string;
  readonly version: string;
  readonly summary: string;
  readonly licenses: string;
  /** Null outside of a checkout. */
  readonly commit: string | null;
  readonly created: Date;
  readonly architecture: string;
}

export interface ImageLayer {
  readonly digest: string;
  readonly size: number;
  readonly diffId: string;
  /** For the image's history. */
  readonly what: string;
}

/** Texts by their path in the layout; layers are next to them. */
export interface ImageDocuments {
  readonly files: ReadonlyMap<string, string>;
  readonly manifestDigest: string;
}

const CONFIG_TYPE = "application/vnd.oci.image.config.v1+json";
const MANIFEST_TYPE = "application/vnd.oci.image.manifest.v1+json";
const INDEX_TYPE = "application/vnd.oci.image.index.v1+json";
const LAYER_TYPE = "application/vnd.oci.image.layer.v1.tar+gzip";
const NANOSECONDS = 1_000_000_000;
const SEARCH_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export function imageDocuments(
  identity: ImageIdentity,
  settings: ImageSettings,
  layers: readonly ImageLayer[],
): ImageDocuments {
  const config = JSON.stringify(configOf(identity, settings, layers));
  const platform = { architecture: identity.architecture, os: "linux" };
  const manifest = JSON.stringify({
    schemaVersion: 2,
    mediaType: MANIFEST_TYPE,
    config: { mediaType: CONFIG_TYPE, digest: digestOf(config), size: Buffer.byteLength(config) },
    layers: layers.map(({ digest, size }) => ({ mediaType: LAYER_TYPE, digest, size })),
    annotations: labelsOf(identity),
  });
  const reference = `${identity.name}:${identity.version}`;
  const descriptor = {
    mediaType: MANIFEST_TYPE,
    digest: digestOf(manifest),
    size: Buffer.byteLength(manifest),
    platform,
    annotations: {
      "org.opencontainers.image.ref.name": identity.version,
      // The name under which containerd and Docker load it.
      "io.containerd.image.name": `docker.io/library/${reference}`,
    },
  };
  const forDocker = [
    {
      Config: blobPath(digestOf(config)),
      RepoTags: [reference],
      Layers: layers.map(({ digest }) => blobPath(digest)),
    },
  ];
  const files = new Map([
    [blobPath(digestOf(config)), config],
    [blobPath(digestOf(manifest)), manifest],
    ["index.json", JSON.stringify({ schemaVersion: 2, mediaType: INDEX_TYPE, manifests: [descriptor] })],
    ["manifest.json", JSON.stringify(forDocker)],
    ["oci-layout", JSON.stringify({ imageLayoutVersion: "1.0.0" })],
  ]);
  return { files, manifestDigest: digestOf(manifest) };
}

export function blobPath(digest: string): string {
  return `blobs/${digest.replace(":", "/")}`;
}

function configOf(identity: ImageIdentity, settings: ImageSettings, layers: readonly ImageLayer[]): object {
  const { name, created, architecture } = identity;
  const { user, folder, command, ports } = settings;
  const time = created.toISOString();
  return {
    created: time,
    architecture,
    os: "linux",
    config: {
      User: user === null ? "0:0" : `${user.id}:${user.id}`,
      Env: [`PATH=${SEARCH_PATH}`],
      Entrypoint: [`/usr/bin/${name}`],
      Cmd: [command],
      WorkingDir: folder,
      Labels: labelsOf(identity),
      StopSignal: "SIGTERM",
      ExposedPorts: Object.fromEntries(ports.map((port) => [`${port}/tcp`, {}])),
      // Of Docker; the OCI specification has no such field, and Kubernetes its own probes.
      Healthcheck: {
        Test: ["CMD", `/usr/bin/${name}-health`],
        Interval: 10 * NANOSECONDS,
        Timeout: 5 * NANOSECONDS,
        StartPeriod: 60 * NANOSECONDS,
        Retries: 3,
      },
    },
    rootfs: { type: "layers", diff_ids: layers.map(({ diffId }) => diffId) },
    history: layers.map(({ what }) => ({ created: time, created_by: "npm run package -- images", comment: what })),
  };
}

/** https://github.com/opencontainers/image-spec/blob/main/annotations.md */
function labelsOf({ name, version, summary, licenses, commit, created }: ImageIdentity) {
  return {
    "org.opencontainers.image.title": name,
    "org.opencontainers.image.description": summary,
    "org.opencontainers.image.version": version,
    "org.opencontainers.image.created": created.toISOString(),
    "org.opencontainers.image.licenses": licenses,
    ...(commit === null ? {} : { "org.opencontainers.image.revision": commit }),
  };
}

function digestOf(text: string): string {
  return `sha256:${createHash("sha256").update(text).digest("hex")}`;
}
