/** Where sources use the master keys: what a rotation seals again or waits for has to know each place. */
import { at, type SourceFile } from "./source-files.ts";

/** Of any object that can seal, so that a place is found whatever the variable is called. */
const USE = /\b(?:\w+\.)+seal\(|\bsecrets\.(?:sign|derive)\(/g;
/** They seal nothing themselves: the keys, what forwards to them, and what is given the envelope of another module. */
const FORWARDS = new Set([
  "coordinator/secrets/secrets.ts",
  "coordinator/secrets/live-secrets.ts",
  "coordinator/rotation/reseal.ts",
  "coordinator/deployments/begin-deployment.ts",
]);

/** Uses in files that are not among `known`. */
export function unknownPlaces(files: readonly SourceFile[], known: ReadonlySet<string>): readonly string[] {
  return files.flatMap((file) => {
    if (!isCoordinatorSource(file.path) || FORWARDS.has(file.path) || known.has(file.path)) return [];
    return [...file.text.matchAll(USE)].map(({ index }) =>
      at(file, index, "uses the master keys: enter it in coordinator/rotation/sealed-places.ts"),
    );
  });
}

/** Files of the table that use no key. */
export function placesWithoutUse(files: readonly SourceFile[], known: ReadonlySet<string>): readonly string[] {
  const using = new Set(files.filter(({ text }) => text.search(USE) >= 0).map(({ path }) => path));
  return [...known].filter((path) => !using.has(path));
}

function isCoordinatorSource(path: string): boolean {
  return /^coordinator\/.*\.ts$/.test(path) && !/(\.test\.ts$|\/testing\/)/.test(path);
}
