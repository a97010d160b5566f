/** The npm packages as `npm install` takes them: files of one time, so that their bytes depend on the sources alone. */
import { execFileSync } from "node:child_process";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inRepository } from "../local/repository.ts";

const CLIENT = inRepository("clients", "typescript");

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly devDependencies?: unknown;
  readonly [member: string]: unknown;
}

/** The client library: JavaScript with declarations, without the types of Node. `work` is an empty folder. */
export async function packClient(work: string, to: string): Promise<string> {
  const compiler = inRepository("node_modules", "ts7", "bin", "tsc");
  const dist = join(work, "dist");
  execFileSync(process.execPath, [compiler, "--project", CLIENT, "--outDir", dist], { stdio: "inherit" });
  await nameCompiledFiles(dist);
  const { devDependencies: _, ...manifest } = JSON.parse(
    await readFile(join(CLIENT, "package.json"), "utf8"),
  ) as Manifest;
  const published = {
    ...manifest,
    sideEffects: false,
    exports: { ".": { types: "./dist/elastic-client.d.ts", default: "./dist/elastic-client.js" } },
  };
  await writeFile(join(work, "package.json"), `${JSON.stringify(published, null, 2)}\n`);
  await cp(join(CLIENT, "README.md"), join(work, "README.md"));
  for (const license of ["LICENSE-MIT", "LICENSE-APACHE"]) await cp(inRepository(license), join(work, license));
  return await pack(work, to);
}

/** The command, as its `prepack` bundles it. */
export async function packCommand(to: string): Promise<string> {
  return await pack(inRepository("cli"), to);
}

/** npm gives all files the same time. Returns the path of the tarball. */
async function pack(folder: string, to: string): Promise<string> {
  await mkdir(to, { recursive: true });
  const { name, version } = JSON.parse(await readFile(join(folder, "package.json"), "utf8")) as Manifest;
  execFileSync("npm", ["pack", "--silent", "--pack-destination", to], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return join(to, `${name}-${version}.tgz`);
}

/** Declarations import each other by the names of their sources, which are not there. */
async function nameCompiledFiles(folder: string): Promise<void> {
  for (const path of await readdir(folder, { recursive: true })) {
    if (!path.endsWith(".d.ts")) continue;
    const text = await readFile(join(folder, path), "utf8");
    await writeFile(join(folder, path), text.replace(/(from |import\()"(\.[^"]+)\.ts"/g, '$1"$2.js"'));
  }
}
