/**
 * Files of Debian packages of this machine, with all that they depend on: what images are made of where none can be
 * pulled. And how such files become an image.
 */
import { execFileSync, spawn } from "node:child_process";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import Docker from "dockerode";
import { expect } from "vitest";
import { inheritedEnvironment, programPath } from "./machine.ts";
import { makeWorkFolder } from "./work-folder.ts";

/** Documentation, and what only sanitizers need. */
const LEFT_OUT = /^\/usr\/share\/(doc|man|locale|info|lintian)\/|lib(asan|tsan|lsan|ubsan)/;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export interface ImportedImage {
  /** Paths on this machine. */
  readonly files: readonly string[];
  /** For tar: `s,from,to,` over paths without their first slash. */
  readonly renames: readonly string[];
  /** For tar: patterns of paths. */
  readonly exclude?: readonly string[];
  /** Lines as in a Dockerfile, such as ENV. */
  readonly changes?: readonly string[];
}

/** By engine and repository: of what the test files of this process have imported. */
const imported = new Map<string, Promise<string>>();

/** Returns its reference. Only the first import into an engine does the work. */
export function importImage(engineSocket: string, repository: string, image: () => ImportedImage): Promise<string> {
  const place = `${engineSocket} ${repository}`;
  const before = imported.get(place);
  if (before !== undefined) return before;
  const now = importNow(engineSocket, repository, image());
  imported.set(place, now);
  return now;
}

async function importNow(
  engineSocket: string,
  repository: string,
  { files, renames, changes = [] }: ImportedImage,
): Promise<string> {
  using empty = makeWorkFolder();
  const tar = tarOf({ files: [...files, empty.path], renames: [...renames, `s,^${empty.path.slice(1)}$,tmp,`] });
  const docker = new Docker({ socketPath: engineSocket });
  const response = await docker.importImage(tar.stdout, {
    repo: repository,
    tag: "test",
    ...(changes.length > 0 ? { changes: changes.join("\n") } : {}),
  });
  const events = await new Promise<readonly { readonly error?: string }[]>((resolve, reject) =>
    docker.modem.followProgress(response, (error, steps) => (error ? reject(error) : resolve(steps ?? []))),
  );
  expect(events.filter(({ error }) => error !== undefined)).toEqual([]);
  return `${repository}:test`;
}

/** A tar file, on its standard output. */
export function tarOf({ files, renames, exclude = [] }: ImportedImage) {
  const [left, renamed] = [exclude.map((one) => `--exclude=${one}`), renames.map((one) => `--transform=${one}`)];
  const args = ["--create", "--directory=/", ...left, ...renamed, "--files-from=-"];
  const tar = spawn("tar", args, { stdio: ["pipe", "pipe", "inherit"], env: { PATH: programPath() } });
  tar.stdin.end(files.map((path) => path.slice(1)).join("\n"));
  return tar;
}

/** Each by its real folder. The links of a merged /usr are listed too, as folders of the packages. */
export function packageFiles(roots: readonly string[]): readonly string[] {
  const listed = run("dpkg", "--listfiles", ...withDependencies(roots)).split("\n");
  const files = listed.filter((path) => path.startsWith("/") && !LEFT_OUT.test(path) && isFile(path));
  return [...new Set(files.map((path) => join(realpathSync(dirname(path)), path.slice(dirname(path).length))))];
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

/** Of alternatives all that are installed. */
function withDependencies(roots: readonly string[]): readonly string[] {
  const format = `${["Package", "Pre-Depends", "Depends", "Provides"].map((field) => `\${${field}}`).join("\t")}\n`;
  const dependencies = new Map<string, readonly string[]>();
  const providers = new Map<string, string>();
  for (const line of run("dpkg-query", "--show", `--showformat=${format}`).split("\n")) {
    const [name = "", before = "", needed = "", provided = ""] = line.split("\t");
    dependencies.set(name, [...names(before), ...names(needed)]);
    for (const virtual of names(provided)) providers.set(virtual, name);
  }
  const chosen = new Set<string>();
  const open = [...roots];
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const real = dependencies.has(name) ? name : providers.get(name);
    if (real === undefined || chosen.has(real)) continue;
    chosen.add(real);
    open.push(...(dependencies.get(real) ?? []));
  }
  return [...chosen];
}

function names(field: string): readonly string[] {
  return field
    .split(/[,|]/)
    .map((one) => one.trim().replace(/[ :(].*$/, ""))
    .filter((name) => name !== "");
}

export function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    env: { ...inheritedEnvironment(), PATH: programPath() },
  });
}
