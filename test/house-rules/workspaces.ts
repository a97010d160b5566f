/** The npm packages of this repository and the packages that each of them names. */
import { readFileSync } from "node:fs";
import { dirname } from "node:path/posix";
import { inRepository } from "@elastic/deploy/local/repository.ts";
import { trackedPaths } from "./source-files.ts";

interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export interface Workspaces {
  /** From a package's name to its folder. */
  readonly folders: ReadonlyMap<string, string>;
  /** From a folder, "" being the root, to the packages that its package.json names. */
  readonly declared: ReadonlyMap<string, ReadonlySet<string>>;
}

export function readWorkspaces(): Workspaces {
  const manifestPaths = trackedPaths().filter((path) => /(^|\/)package\.json$/.test(path));
  const folders = manifestPaths.map((path) => (path === "package.json" ? "" : dirname(path)));
  const manifests = folders.map((folder) => ({ folder, of: manifest(folder) }));
  return {
    folders: new Map(manifests.filter(({ folder }) => folder !== "").map(({ folder, of }) => [of.name, folder])),
    declared: new Map(manifests.map(({ folder, of }) => [folder, packagesOf(of)])),
  };
}

function manifest(folder: string): Manifest {
  return JSON.parse(readFileSync(inRepository(folder, "package.json"), "utf8")) as Manifest;
}

function packagesOf({ dependencies, devDependencies }: Manifest): ReadonlySet<string> {
  return new Set([...Object.keys(dependencies ?? {}), ...Object.keys(devDependencies ?? {})]);
}
