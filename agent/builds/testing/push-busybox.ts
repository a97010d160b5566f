/** A base image with a shell and little else, made of this machine's static busybox: none can be pulled in tests. */
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { pack } from "tar-stream";
import type { ImageLayout } from "../image/image-layout.ts";
import { pushImage } from "../image/push-image.ts";
import { registryClient } from "../registry/registry-client.ts";

const BUSYBOX = ["/usr/bin/busybox", "/bin/busybox"];
const APPLETS = [
  "sh",
  "cat",
  "chmod",
  "cp",
  "dd",
  "echo",
  "env",
  "find",
  "grep",
  "head",
  "id",
  "ls",
  "mkdir",
  "mknod",
  "mount",
  "mv",
  "nc",
  "rm",
  "seq",
  "sleep",
  "touch",
  "true",
  "unshare",
  "wget",
  "yes",
];
const OCI = "application/vnd.oci.image";

/** Pushes it as `<repository>:1`; `password` for a registry that asks for one. */
export async function pushBusybox(
  host: string,
  password: string | null,
  repository = "library/busybox",
): Promise<void> {
  const registry = registryClient({ host, password });
  const { signal } = new AbortController();
  const layer = await busyboxLayer();
  const config = Buffer.from(
    JSON.stringify({
      architecture: "amd64",
      os: "linux",
      config: { Env: ["PATH=/bin"], Cmd: ["/bin/sh"] },
      rootfs: { type: "layers", diff_ids: [digestOf(layer)] },
    }),
  );
  const describe = (mediaType: string, bytes: Buffer) => ({ mediaType, digest: digestOf(bytes), size: bytes.length });
  const text = Buffer.from(
    JSON.stringify({
      schemaVersion: 2,
      mediaType: `${OCI}.manifest.v1+json`,
      config: describe(`${OCI}.config.v1+json`, config),
      layers: [describe(`${OCI}.layer.v1.tar`, layer)],
    }),
  );
  const contents = new Map([layer, config].map((bytes) => [digestOf(bytes), bytes]));
  const layout: ImageLayout = {
    manifest: { ...describe(`${OCI}.manifest.v1+json`, text), text },
    config: { architecture: "amd64", os: "linux" },
    blobs: [describe("", layer), describe("", config)],
    open: async ({ digest }) => Readable.from([contents.get(digest)]) as AsyncIterable<Buffer>,
  };
  await pushImage(layout, { registry, repository, tag: "1" }, signal);
}

async function busyboxLayer(): Promise<Buffer> {
  const program = BUSYBOX.find((path) => existsSync(path));
  if (program === undefined) throw new Error("no busybox on this machine: run deploy/setup.sh builder");
  const tar = pack();
  for (const name of ["bin/", "etc/", "tmp/"]) tar.entry({ name, type: "directory", mode: 0o755 });
  tar.entry({ name: "bin/busybox", mode: 0o755 }, readFileSync(program));
  for (const applet of APPLETS) tar.entry({ name: `bin/${applet}`, type: "symlink", linkname: "busybox" });
  tar.entry({ name: "etc/passwd" }, "root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n");
  tar.finalize();
  return await buffer(tar);
}

function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
