/**
 * A base image to build provers in, made of this machine's own toolchain, since none can be pulled where there is no
 * network: the files of Debian's packages for gcc and a shell with all that they depend on, and Rust's sysroot.
 */
import { execFileSync, spawn } from "node:child_process";
import { lstatSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import Docker from "dockerode";
import { expect } from "vitest";
import { inheritedEnvironment, programPath } from "./machine.ts";
import { makeWorkFolder } from "./work-folder.ts";

const ROOTS = ["gcc", "libc6-dev", "dash", "coreutils"];
/** Made when the packages were set up, so in no package's list. */
const COMPILER_LINKS = ["/usr/bin/cc", "/etc/alternatives/cc"];
/** Documentation, and what only sanitizers need. */
const LEFT_OUT = /^\/usr\/share\/(doc|man|locale|info|lintian)\/|lib(asan|tsan|lsan|ubsan)/;
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

/** Answers its reference. */
export async function importToolchainImage(engineSocket: string): Promise<string> {
  const sysroot = run("rustc", "--print", "sysroot").trim();
  const rust = ["bin/rustc", "bin/cargo", "lib"].map((path) => join(sysroot, path));
  using empty = makeWorkFolder();
  const files = [...packageFiles(), ...COMPILER_LINKS, ...rust, empty.path].map((path) => path.slice(1));
  const renames = [`s,^${sysroot.slice(1)}/,usr/local/,`, `s,^${empty.path.slice(1)}$,tmp,`];
  const tar = spawn(
    "tar",
    ["--create", "--directory=/", "--files-from=-", ...renames.map((rename) => `--transform=${rename}`)],
    { stdio: ["pipe", "pipe", "inherit"], env: { PATH: programPath() } },
  );
  tar.stdin.end(files.join("\n"));
  const docker = new Docker({ socketPath: engineSocket });
  const answer = await docker.importImage(tar.stdout, { repo: "elastic-toolchain", tag: "test" });
  const events = await new Promise<readonly { readonly error?: string }[]>((resolve, reject) =>
    docker.modem.followProgress(answer, (error, told) => (error ? reject(error) : resolve(told ?? []))),
  );
  expect(events.filter(({ error }) => error !== undefined)).toEqual([]);
  return "elastic-toolchain:test";
}

/** Each by its real folder. The links of a merged /usr are listed too, as folders of the packages. */
function packageFiles(): readonly string[] {
  const listed = run("dpkg", "--listfiles", ...withDependencies(ROOTS)).split("\n");
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

function run(command: string, ...args: readonly string[]): string {
  return execFileSync(command, args, {
    encoding: "utf8",
    maxBuffer: OUTPUT_BYTES_MAX,
    env: { ...inheritedEnvironment(), PATH: programPath() },
  });
}
