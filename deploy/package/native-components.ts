/** Native programs and libraries of a package as components, and of those that Go compiled the modules in them. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { inRepository } from "../local/repository.ts";
import { type GoModule, readGoBuildInfo } from "./go-build-info.ts";
import { type Component, sha256Checksum } from "./spdx.ts";

/** By their paths in the repository. `own` is the version of what is compiled from the sources of this repository. */
export function nativeComponents(
  paths: readonly string[],
  own: { readonly version: string; readonly license: string },
): readonly Component[] {
  const found = new Map<string, Component>();
  for (const path of paths) {
    const bytes = readFileSync(inRepository(path));
    const name = basename(path);
    const checksum = sha256Checksum(createHash("sha256").update(bytes).digest("hex"));
    const info = readGoBuildInfo(bytes);
    if (info === null) {
      found.set(name, { ...own, name, purl: `pkg:generic/${name}@${own.version}`, checksum });
      continue;
    }
    const module = info.modules.find((one) => info.path.startsWith(`${one.path}/`) || info.path === one.path);
    const version = module?.version ?? "unknown";
    const subpath = module === undefined ? "" : info.path.slice(module.path.length + 1);
    const purl = `${golangPurl(module?.path ?? info.path, version)}${subpath === "" ? "" : `#${subpath}`}`;
    found.set(name, { name, version, license: null, purl, checksum });
    for (const one of [...info.modules, { path: "stdlib", version: info.go, sum: null }]) {
      found.set(`${one.path}@${one.version}`, moduleComponent(one));
    }
  }
  return [...found.values()];
}

function moduleComponent({ path, version, sum }: GoModule): Component {
  const component = { name: path, version, license: null, purl: golangPurl(path, version) };
  return sum === null ? component : { ...component, source: `go.sum: ${sum}` };
}

/** https://github.com/package-url/purl-spec: each part of the path is encoded. */
function golangPurl(path: string, version: string): string {
  return `pkg:golang/${path.split("/").map(encodeURIComponent).join("/")}@${encodeURIComponent(version)}`;
}
