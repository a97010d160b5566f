/** Where the acceleration library is when none is configured. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const PLACES = [
  // As a package has it.
  fileURLToPath(new URL("../../lib/libzkaccel.so", import.meta.url)),
  // As deploy/setup.sh builds it next to this program.
  fileURLToPath(new URL("../../target/accel/libzkaccel.so", import.meta.url)),
  "/usr/local/lib/libzkaccel.so",
];

/** The first that is there; null where none is. */
export function findAccelLibrary(places: readonly string[] = PLACES): string | null {
  return places.find((place) => existsSync(place)) ?? null;
}
