import type { Built } from "./build-fixture.ts";

/** The crates that cargo compiled in a build, by its log: each once, by name. */
export function compiledIn({ log }: Built): readonly string[] {
  return [...new Set([...log.matchAll(/ Compiling (\S+)/g)].map(([, name = ""]) => name))].toSorted();
}
