/**
 * What a test starts of a release, for clones without its commit: coordinator, agent, what they import, and the manifests
 * by which npm installs the rest, without tests. Each is found by its digest. To add one: `git archive` of these paths at
 * the release's commit (the test next to this file lists them), compressed with `brotliCompress` of node:zlib, named by the
 * SHA-256 of what results.
 */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliDecompress } from "node:zlib";

export const RELEASES_FOLDER = join(import.meta.dirname, "releases");

/** By the release's commit: SHA-256 of the compressed file, which is its name. */
const DIGESTS: Readonly<Record<string, string>> = {
  "943a78806ac4c44424f918347713c3bc165ac0d4": "40e1435939ccd85f50f7e9ab2c84ca71a0e53f1ed53bbe84050e420df7dcb906",
};

/** A tar file. Rejects where there is none of that release, or it is not what was put there. */
export async function releaseArchive(commit: string, folder = RELEASES_FOLDER): Promise<Buffer> {
  const digest = DIGESTS[commit];
  if (digest === undefined) {
    throw new Error(
      `this clone lacks commit ${commit} of the last release, and test/cluster/release-archive.ts has no archive of it: git fetch --unshallow`,
    );
  }
  const file = join(folder, `${digest}.tar.br`);
  const bytes = await readFile(file);
  const found = createHash("sha256").update(bytes).digest("hex");
  if (found !== digest) throw new Error(`${file} is damaged: its digest is ${found}; restore it from the repository`);
  return await promisify(brotliDecompress)(bytes);
}
