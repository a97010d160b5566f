/**
 * The cache of volumes as it is on the disk:
 *
 *   <dir>/files/<sha256>      complete files, lists of volumes among them
 *   <dir>/partial/<sha256>    what has come of a file
 *   <dir>/trees/<sha256>/…    a volume as a workload sees it, named by its list: hard links to the files
 */
import { chmod, link, mkdir, readdir, readFile, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CachedFile, CachedTree } from "./cache-room.ts";
import { parseManifest, type VolumeFile } from "./manifest.ts";

export interface CacheFolder {
  readonly files: readonly CachedFile[];
  readonly partials: readonly CachedFile[];
  readonly trees: readonly CachedTree[];
  filePath(sha256: string): string;
  partialPath(sha256: string): string;
  treePath(id: string): string;
  readList(id: string): Promise<readonly VolumeFile[]>;
  /** There completely or not at all. */
  layTree(id: string, files: readonly VolumeFile[]): Promise<void>;
  /** Its last use was now. */
  touchTree(id: string): Promise<void>;
  removeFile(sha256: string): Promise<void>;
  removePartial(sha256: string): Promise<void>;
  removeTree(id: string): Promise<void>;
}

const NAME = /^[0-9a-f]{64}$/;
const IN_WORK = ".new-";

/** Reads what an earlier process left, without what it did not finish. */
export async function openCacheFolder(dir: string): Promise<CacheFolder> {
  const at = (part: string) => (name: string) => join(dir, part, name);
  const [filePath, partialPath, treePath] = [at("files"), at("partial"), at("trees")];
  for (const part of ["files", "partial", "trees"]) await mkdir(join(dir, part), { recursive: true, mode: 0o711 });
  const readList = async (id: string) => parseManifest(await readFile(filePath(id), "utf8"));
  return {
    files: await filesIn(join(dir, "files")),
    partials: await filesIn(join(dir, "partial")),
    trees: await treesIn(join(dir, "trees"), readList),
    filePath,
    partialPath,
    treePath,
    readList,
    layTree: (id, files) => layTree(treePath(`${IN_WORK}${id}`), treePath(id), files, filePath),
    touchTree: async (id) => {
      const now = new Date();
      await utimes(treePath(id), now, now);
    },
    removeFile: (sha256) => rm(filePath(sha256), { force: true }),
    removePartial: (sha256) => rm(partialPath(sha256), { force: true }),
    removeTree: (id) => rm(treePath(id), { recursive: true, force: true }),
  };
}

async function filesIn(folder: string): Promise<readonly CachedFile[]> {
  const names = (await readdir(folder)).filter((name) => NAME.test(name));
  return await Promise.all(names.map(async (sha256) => ({ sha256, bytes: (await stat(join(folder, sha256))).size })));
}

async function treesIn(
  folder: string,
  readList: (id: string) => Promise<readonly VolumeFile[]>,
): Promise<readonly CachedTree[]> {
  const trees: CachedTree[] = [];
  for (const id of await readdir(folder)) {
    const files = NAME.test(id) ? await readList(id).catch(() => null) : null;
    // Begun by a process that ended, or without its list: nobody could say what it holds.
    if (files === null) await rm(join(folder, id), { recursive: true, force: true });
    else {
      const { mtimeMs } = await stat(join(folder, id));
      trees.push({ id, usedAtMs: mtimeMs, sha256s: [id, ...files.map(({ sha256 }) => sha256)] });
    }
  }
  return trees;
}

async function layTree(
  inWork: string,
  path: string,
  files: readonly VolumeFile[],
  filePath: (sha256: string) => string,
): Promise<void> {
  await rm(inWork, { recursive: true, force: true });
  await mkdir(inWork);
  await chmod(inWork, 0o755);
  for (const file of files) {
    await makeFolders(inWork, dirname(file.path));
    await link(filePath(file.sha256), join(inWork, file.path));
  }
  await rename(inWork, path);
}

/** Open to the container's user, whatever the umask of this process. */
async function makeFolders(root: string, folder: string): Promise<void> {
  if (folder === ".") return;
  let path = root;
  for (const name of folder.split("/")) {
    path = join(path, name);
    await mkdir(path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
    await chmod(path, 0o755);
  }
}
