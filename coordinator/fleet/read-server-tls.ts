/** By what certificate agents know this coordinator, and whose it believes theirs to be. */
import { readFileSync } from "node:fs";

/** In PEM. */
export interface ServerTls {
  /** Of the authority that agents' certificates come from. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** Of the files with these names. */
export function readServerTls(files: ServerTls): ServerTls {
  const read = (file: string) => readFileSync(file, "utf8");
  return { ca: read(files.ca), cert: read(files.cert), key: read(files.key) };
}
