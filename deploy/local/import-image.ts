/** Makes an image of files of this machine in an engine. */
import { spawn } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Docker from "dockerode";
import { finish } from "./engine-progress.ts";

export interface ImageFiles {
  /** Paths on this machine. */
  readonly files: readonly string[];
  /** In addition, by paths without their first slash. */
  readonly texts?: Readonly<Record<string, string>>;
  /** For tar: `s,from,to,` over paths without their first slash. */
  readonly renames: readonly string[];
  /** For tar: patterns of paths. */
  readonly exclude?: readonly string[];
  /** Lines as in a Dockerfile, such as ENV. */
  readonly changes?: readonly string[];
}

/** Imports the files, and an empty `/tmp`, as `reference`. */
export async function importImage(
  engineSocket: string,
  reference: string,
  image: ImageFiles,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  const { files, texts = {}, renames, changes = [] } = image;
  const [, repo, tag] = /^(.+):([^:/]+)$/.exec(reference) ?? [];
  if (repo === undefined || tag === undefined) throw new Error(`${reference} has no tag`);
  const folder = mkdtempSync(join(tmpdir(), "elastic-image-"));
  const empty = join(folder, "tmp");
  try {
    mkdirSync(empty);
    chmodSync(empty, 0o1777);
    const written = Object.entries(texts).map(([path, text], n) => {
      const from = join(folder, `${n}`);
      writeFileSync(from, text);
      return { from, rename: `s,^${from.slice(1)}$,${path},` };
    });
    const withTmp = {
      ...image,
      files: [...files, empty, ...written.map(({ from }) => from)],
      renames: [...renames, `s,^${empty.slice(1)}$,tmp,`, ...written.map(({ rename }) => rename)],
    };
    const docker = new Docker({ socketPath: engineSocket });
    const events = await docker.importImage(tarOf(withTmp, env).stdout, {
      repo,
      tag,
      ...(changes.length > 0 ? { changes: changes.join("\n") } : {}),
    });
    await finish(docker, events);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** A tar file, on its standard output. */
export function tarOf({ files, renames, exclude = [] }: ImageFiles, { PATH }: NodeJS.ProcessEnv) {
  const [left, renamed] = [exclude.map((one) => `--exclude=${one}`), renames.map((one) => `--transform=${one}`)];
  const args = ["--create", "--directory=/", ...left, ...renamed, "--files-from=-"];
  const tar = spawn("tar", args, { stdio: ["pipe", "pipe", "inherit"], env: { PATH } });
  tar.stdin.end(files.map((path) => path.slice(1)).join("\n"));
  return tar;
}
