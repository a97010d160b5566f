/** What a test of the pure tier may not import; what it reaches in other ways, test/pure-guard.ts forbids as it runs. */
import { tierOf } from "../tiers.ts";
import type { Import } from "./imports.ts";

const STARTS_OR_LISTENS = /^node:(child_process|cluster|dgram|http2?|https|net|tls|worker_threads)$/;
/** The harness starts real parts. */
const HARNESS = /^test\/cluster\/(?!checker\/|machine\.ts$|work-folder\.ts$)/;

export function impureImports(imports: readonly Import[]): readonly string[] {
  return imports
    .filter(({ from, to }) => tierOf(from) === "pure" && (STARTS_OR_LISTENS.test(to) || HARNESS.test(to)))
    .map(({ from, to }) => `${from} imports ${to}: name it ${from.replace(".test.ts", ".component.test.ts")}`);
}
