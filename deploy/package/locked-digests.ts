/** The digests of npm packages that package-lock.json has: npm installs nothing else. */
import { readFileSync } from "node:fs";
import { inRepository } from "../local/repository.ts";
import type { Checksum } from "./spdx.ts";

interface Lock {
  readonly packages: Readonly<Record<string, { readonly integrity?: string }>>;
}

/** By a package's folder, such as `node_modules/zod`; null for one without a digest, as of this repository. */
export function lockedDigests(): (folder: string) => Checksum | null {
  const { packages } = JSON.parse(readFileSync(inRepository("package-lock.json"), "utf8")) as Lock;
  return (folder) => {
    const [, base64] = /^sha512-([A-Za-z0-9+/=]+)$/.exec(packages[folder]?.integrity ?? "") ?? [];
    if (base64 === undefined) return null;
    return { algorithm: "SHA512", value: Buffer.from(base64, "base64").toString("hex") };
  };
}
