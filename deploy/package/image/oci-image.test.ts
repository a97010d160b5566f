import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { PROGRAMS } from "../programs.ts";
import { blobPath, type ImageIdentity, imageDocuments } from "./oci-image.ts";

const IDENTITY: ImageIdentity = {
  name: "elastic-coordinator",
  version: "1.2.3",
  summary: "control plane",
  licenses: "MIT",
  commit: "abc",
  created: new Date("2026-01-02T03:04:05Z"),
  architecture: "amd64",
};
const LAYERS = ["a", "b"].map((what) => ({ what, digest: `sha256:${what}`, diffId: `sha256:${what}${what}`, size: 7 }));

function documentsOf(name: string, identity = IDENTITY) {
  const program = PROGRAMS.find((one) => one.name === name);
  if (program === undefined) throw new Error(`there is no program ${name}`);
  const { files, manifestDigest } = imageDocuments(identity, program.image, LAYERS);
  const read = (path: string) => JSON.parse(files.get(path) ?? "null");
  const manifest = read(blobPath(manifestDigest));
  return { files, manifestDigest, manifest, config: read(blobPath(manifest.config.digest)), read };
}

test("names each text by the digest and the size of its bytes", () => {
  const { files, manifest, read } = documentsOf("elastic-coordinator");
  const [entry] = read("index.json").manifests;
  for (const { digest, size } of [manifest.config, entry]) {
    const text = files.get(blobPath(digest)) ?? "";
    expect(digest).toBe(`sha256:${createHash("sha256").update(text).digest("hex")}`);
    expect(size).toBe(Buffer.byteLength(text));
  }
  expect(entry.annotations["org.opencontainers.image.ref.name"]).toBe("1.2.3");
});

test("lists the same layers for engines that read no OCI layout", () => {
  const { manifest, config, read } = documentsOf("elastic-coordinator");
  const [forDocker] = read("manifest.json");
  expect(forDocker).toEqual({
    Config: blobPath(manifest.config.digest),
    RepoTags: ["elastic-coordinator:1.2.3"],
    Layers: manifest.layers.map(({ digest }: { readonly digest: string }) => blobPath(digest)),
  });
  expect(config.rootfs.diff_ids).toEqual(["sha256:aa", "sha256:bb"]);
  expect(config.history).toHaveLength(2);
});

test("runs the coordinator as a user by number, which Kubernetes can check, and the agent as root", () => {
  expect(documentsOf("elastic-coordinator").config.config).toMatchObject({
    User: "65532:65532",
    Entrypoint: ["/usr/bin/elastic-coordinator"],
    Cmd: ["serve"],
    Labels: { "org.opencontainers.image.revision": "abc", "org.opencontainers.image.version": "1.2.3" },
  });
  expect(documentsOf("elastic-agent").config.config).toMatchObject({ User: "0:0", Cmd: ["run"] });
});

test("labels no revision outside of a checkout, and has another digest for another commit", () => {
  const without = documentsOf("elastic-coordinator", { ...IDENTITY, commit: null });
  expect(without.config.config.Labels).not.toHaveProperty("org.opencontainers.image.revision");
  expect(without.manifestDigest).not.toBe(documentsOf("elastic-coordinator").manifestDigest);
});
