/** A staged program as a `.deb`: with its unit, its settings under /etc/elastic, and what an upgrade and a removal do. */
import { chmod, cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRepository } from "../local/repository.ts";
import { runTool } from "../local/run-tool.ts";
import type { PackagedProgram } from "./programs.ts";
import type { Release } from "./stage-program.ts";

const ARCHITECTURES: Partial<Record<NodeJS.Architecture, string>> = { x64: "amd64", arm64: "arm64" };
/** Where dpkg-deb and du are. */
const TOOLS = { PATH: "/usr/bin:/bin" };
const SCRIPTS = ["postinst", "prerm", "postrm"];

export interface DebianOptions {
  /** What `stageProgram` made. */
  readonly staged: string;
  /** An empty folder for what goes to /. */
  readonly root: string;
  /** Of zstd, 1 to 19. */
  readonly level: number;
  readonly to: string;
}

export async function writeDebianPackage(
  program: PackagedProgram,
  release: Release,
  { staged, root, level, to }: DebianOptions,
): Promise<void> {
  const { name } = program;
  const sources = inRepository("deploy", "package", "debian", name);
  await cp(staged, join(root, "usr"), { recursive: true });
  const unit = await readFile(inRepository("deploy", "systemd", `${name}.service`), "utf8");
  await write(
    join(root, "usr", "lib", "systemd", "system"),
    `${name}.service`,
    unit.replace("/usr/local/bin/", "/usr/bin/"),
  );
  const control = join(root, "DEBIAN");
  await mkdir(control, { recursive: true });
  const settings: string[] = [];
  for (const file of await readdir(sources)) {
    const text = await readFile(join(sources, file), "utf8");
    if (file.endsWith(".env")) {
      await write(join(root, "etc", "elastic"), file, text);
      await chmod(join(root, "etc", "elastic", file), 0o640);
      settings.push(`/etc/elastic/${file}`);
    } else if (file === "sysusers.conf") await write(join(root, "usr", "lib", "sysusers.d"), `${name}.conf`, text);
    else if (SCRIPTS.includes(file)) {
      await write(control, file, text);
      await chmod(join(control, file), 0o755);
    } else throw new Error(`${join(sources, file)} has no place in a package`);
  }
  await write(control, "conffiles", settings.map((path) => `${path}\n`).join(""));
  await write(control, "control", controlFile(program, release.version, await sizeKib(root)));
  // Times later than this one become this one: the bytes depend on the files alone.
  const env = { ...TOOLS, SOURCE_DATE_EPOCH: String(release.committed.getTime() / 1000) };
  runTool(env, "dpkg-deb", "--root-owner-group", ...["-Zzstd", `-z${level}`, "--threads-max=1", "--build", root, to]);
}

/** https://www.debian.org/doc/debian-policy/ch-controlfields.html */
function controlFile({ name, summary, depends, recommends }: PackagedProgram, version: string, sizeKib: number) {
  const fields: readonly (readonly [string, string])[] = [
    ["Package", name],
    ["Version", version],
    ["Architecture", ARCHITECTURES[process.arch] ?? process.arch],
    ["Maintainer", "Elastic Proving Service"],
    ["Section", "net"],
    ["Priority", "optional"],
    ["Installed-Size", String(sizeKib)],
    ["Depends", depends.join(", ")],
    ["Recommends", recommends.join(", ")],
    ["Description", summary],
  ];
  return fields
    .filter(([, value]) => value !== "")
    .map(([field, value]) => `${field}: ${value}\n`)
    .join("");
}

async function write(folder: string, file: string, text: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, file), text);
}

async function sizeKib(root: string): Promise<number> {
  return Number(runTool(TOOLS, "du", "--summarize", "--apparent-size", "--block-size=1024", root).split("\t")[0]);
}
