/** A base image with a shell and little else, made of this machine's static busybox: none can be pulled in tests. */
import { existsSync, readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { type Header, pack } from "tar-stream";
import { layerOf, pushOneLayer } from "./one-layer-image.ts";

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

export interface BusyboxOptions {
  readonly repository?: string;
  readonly entrypoint?: readonly string[];
  /** What it has besides. */
  readonly more?: readonly (Partial<Header> & { readonly name: string })[];
}

/** Pushes it as `<repository>:1`; `password` for a registry that requires one. */
export async function pushBusybox(host: string, password: string | null, options: BusyboxOptions = {}): Promise<void> {
  const { repository = "library/busybox", entrypoint, more = [] } = options;
  const layer = layerOf(await busyboxLayer(more));
  const image = { layer, env: { PATH: "/bin" }, repository, tag: "1" };
  await pushOneLayer(host, password, entrypoint === undefined ? image : { ...image, entrypoint });
}

async function busyboxLayer(more: NonNullable<BusyboxOptions["more"]>): Promise<Buffer> {
  const program = BUSYBOX.find((path) => existsSync(path));
  if (program === undefined) throw new Error("no busybox on this machine: run deploy/setup.sh builder");
  const tar = pack();
  for (const name of ["bin/", "etc/", "tmp/"]) tar.entry({ name, type: "directory", mode: 0o755 });
  tar.entry({ name: "bin/busybox", mode: 0o755 }, readFileSync(program));
  for (const applet of APPLETS) tar.entry({ name: `bin/${applet}`, type: "symlink", linkname: "busybox" });
  tar.entry({ name: "etc/passwd" }, "root:x:0:0:root:/:/bin/sh\nnobody:x:65534:65534:nobody:/:/bin/sh\n");
  for (const header of more) tar.entry({ ...header, size: 0 } as Header, "");
  tar.finalize();
  return await buffer(tar);
}
