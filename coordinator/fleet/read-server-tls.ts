/** By what certificate agents know this coordinator, and whose it believes theirs to be. */
import { readFileSync } from "node:fs";

/** In PEM. */
export interface ServerTls {
  /** Of the authorities that agents' certificates come from. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
}

/** As it is at present: a new connection uses it, an established one stays. */
export interface ServerTlsSource {
  current(): ServerTls;
  /** Called after each change. Returns how to stop. */
  subscribe(listener: () => void): () => void;
}

export function fixedTls(tls: ServerTls): ServerTlsSource {
  return { current: () => tls, subscribe: () => () => undefined };
}

/** Of the files with these names. */
export function readServerTls(files: ServerTls): ServerTls {
  const read = (file: string) => readFileSync(file, "utf8");
  return { ca: read(files.ca), cert: read(files.cert), key: read(files.key) };
}
