/** A staged program as an image in an OCI layout, in one file that `docker load`, podman and skopeo read; without an engine. */
import { createReadStream, createWriteStream } from "node:fs";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { pack } from "tar-stream";
import { inRepository } from "../../local/repository.ts";
import { SERVICE_NODE_OPTION } from "../../node-options.ts";
import type { PackagedProgram } from "../programs.ts";
import { type Component, sha256Checksum, spdxDocument } from "../spdx.ts";
import { LICENSE, type Release } from "../stage-program.ts";
import { type DebianPackage, makeDebianRoot, SUITE } from "./debian-root.ts";
import { blobOf, type LayerEntry, writeLayer } from "./layer.ts";
import { blobPath, type ImageDocuments, type ImageLayer, imageDocuments } from "./oci-image.ts";
import { debianPurl, provenanceOf } from "./provenance.ts";

export interface ImageOptions {
  /** What `stageProgram` made, and what it returned. */
  readonly staged: string;
  readonly components: readonly Component[];
  /** An empty folder for what is only needed meanwhile. */
  readonly work: string;
  /** Without an ending. */
  readonly to: string;
}

export interface PackagedImage {
  readonly manifestDigest: string;
  readonly files: readonly string[];
}

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };

export async function writeImage(
  program: PackagedProgram,
  release: Release,
  { staged, components, work, to }: ImageOptions,
): Promise<PackagedImage> {
  const { name, summary, image } = program;
  const { version, committed, commit } = release;
  const root = join(work, "debian");
  const debian = await makeDebianRoot(image, root, work);
  const system = await writeLayer(
    { folder: root, prefix: "", entries: systemEntries(program), mtime: committed },
    join(work, "system.tar.gz"),
  );
  await writeCommands(name, staged, program.main);
  const own = await writeLayer(
    { folder: staged, prefix: "usr", entries: [], mtime: committed },
    join(work, "program.tar.gz"),
  );
  const layers = [
    { ...system, what: debian.map((one) => `${one.name} ${one.version}`).join(", ") },
    { ...own, what: `${name} ${version}` },
  ];
  const architecture = ARCHITECTURES[process.arch] ?? process.arch;
  const identity = { name, version, summary, licenses: LICENSE, commit, created: committed, architecture };
  const documents = imageDocuments(identity, image, layers);
  const archive = `${to}.oci.tar`;
  await writeLayout(documents, layers, committed, archive);
  const sbom = spdxDocument({
    name,
    version,
    license: LICENSE,
    sha256: documents.manifestDigest.replace("sha256:", ""),
    created: committed,
    components: [...debian.map(asComponent), ...components],
  });
  const lock = await blobOf(inRepository("package-lock.json"));
  const provenance = provenanceOf({
    ...{ program: name, version, commit, created: committed, suite: SUITE, debian, components },
    manifestDigest: documents.manifestDigest,
    node: process.versions.node,
    lockSha256: lock.digest.replace("sha256:", ""),
  });
  const files = [archive, `${to}.spdx.json`, `${to}.provenance.json`];
  await writeFile(files[1] ?? "", `${JSON.stringify(sbom, null, 2)}\n`);
  await writeFile(files[2] ?? "", `${JSON.stringify(provenance, null, 2)}\n`);
  return { manifestDigest: documents.manifestDigest, files };
}

/** The users that there are, and folders that somebody else than root writes to. */
function systemEntries({ image: { user, folder } }: PackagedProgram): readonly LayerEntry[] {
  const own = user === null ? [] : [`${user.name}:x:${user.id}:${user.id}::${folder}:/usr/sbin/nologin`];
  const group = user === null ? [] : [`${user.name}:x:${user.id}:`];
  const lines = (...all: readonly string[]): string => all.map((line) => `${line}\n`).join("");
  return [
    { path: "etc/passwd", mode: 0o644, text: lines("root:x:0:0:root:/root:/bin/sh", NOBODY, ...own) },
    { path: "etc/group", mode: 0o644, text: lines("root:x:0:", "nogroup:x:65534:", ...group) },
    { path: "etc/nsswitch.conf", mode: 0o644, text: lines("passwd: files", "group: files", "hosts: files dns") },
    { path: "tmp", mode: 0o1777, text: null },
    { path: folder.slice(1), mode: 0o700, uid: user?.id ?? 0, text: null },
  ];
}

const NOBODY = "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin";

/** Without a shell in the image, its programs are of Node itself. */
async function writeCommands(name: string, staged: string, main: string): Promise<void> {
  const lib = `/usr/lib/${name}`;
  const script = (interpreter: string, ...lines: readonly string[]): string =>
    [`#!${interpreter}`, ...lines, ""].join("\n");
  const served = `${lib}/node ${SERVICE_NODE_OPTION}`;
  const executable = { mode: 0o755 };
  const bin = join(staged, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, name), script(served, `import("${lib}/${main.replace(/\.ts$/, ".js")}");`), executable);
  await cp(join(import.meta.dirname, "check-health", "main.ts"), join(staged, "lib", name, CHECK_HEALTH));
  const health = script(`${lib}/node`, `process.argv[2] = "${name}";`, `import("${lib}/${CHECK_HEALTH}");`);
  await writeFile(join(bin, `${name}-health`), health, executable);
}

/** Next to the program in the image. */
const CHECK_HEALTH = "check-health.ts";

async function writeLayout(
  { files }: ImageDocuments,
  layers: readonly (ImageLayer & { readonly file: string })[],
  mtime: Date,
  to: string,
): Promise<void> {
  const tar = pack();
  const written = pipeline(tar, createWriteStream(to));
  // Those that read it as a stream want these first.
  const texts = [...files].toSorted(
    ([a], [b]) => Number(a.includes("/")) - Number(b.includes("/")) || (a < b ? -1 : 1),
  );
  for (const [name, text] of texts) tar.entry({ name, mtime, mode: 0o644 }, text);
  for (const { digest, size, file } of layers) {
    await pipeline(createReadStream(file), tar.entry({ name: blobPath(digest), mtime, mode: 0o644, size }));
  }
  tar.finalize();
  await written;
}

function asComponent(one: DebianPackage): Component {
  // Its licences are in /usr/share/doc/<name>/copyright of the image.
  const { name, version, sha256 } = one;
  return { name, version, license: null, purl: debianPurl(one, SUITE), checksum: sha256Checksum(sha256) };
}
