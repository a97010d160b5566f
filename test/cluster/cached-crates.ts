/** What cargo has downloaded on this machine of the crates that a lock file names: enough to build without a network. */
import { existsSync, readdirSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { lockedPackages } from "@elastic/deploy/template/crate-manifest.ts";
import { inheritedEnvironment } from "./machine.ts";

export interface CachedCrates {
  /** Of cargo, on this machine. */
  readonly home: string;
  /** Paths in it: crates, and the pages of the registry's index. Crates that this platform does not need are left out. */
  readonly files: readonly string[];
}

export function cachedCrates(lock: string): CachedCrates {
  const home = inheritedEnvironment().CARGO_HOME ?? join(homedir(), ".cargo");
  const registries = readdirSync(join(home, "registry", "index"));
  const paths = registries.flatMap((registry) => [
    join(home, "registry", "index", registry, "config.json"),
    ...lockedPackages(lock).flatMap(({ name, version }) => [
      join(home, "registry", "index", registry, ".cache", indexPath(name)),
      join(home, "registry", "cache", registry, `${name}-${version}.crate`),
    ]),
  ]);
  return { home, files: [...new Set(paths)].filter((path) => existsSync(path)) };
}

/** As registries lay out their index (The Cargo Book, Registry Index). */
function indexPath(crate: string): string {
  const name = crate.toLowerCase();
  if (name.length < 3) return join(String(name.length), name);
  return name.length === 3 ? join("3", name.slice(0, 1), name) : join(name.slice(0, 2), name.slice(2, 4), name);
}
