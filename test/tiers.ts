/** The tiers of the TypeScript tests, and where their files are. */
import { matchesGlob } from "node:path/posix";

/** Globs from the repository's root. A file is of the first tier whose glob it matches. */
export const TIERS = {
  house: "test/house-rules/**/*.test.ts",
  long: "test/{long,faults}/**/*.test.ts",
  system: "test/system/**/*.test.ts",
  component: "**/*.component.test.ts",
  pure: "**/*.test.ts",
} as const;

export type TierName = keyof typeof TIERS;
export const TIER_NAMES = Object.keys(TIERS) as readonly TierName[];

/** Where no test file of this repository is. */
const ELSEWHERE = ["**/node_modules/**", "**/target/**", "**/.cache/**"];

/** Of what a tier's glob matches, the files that are not its own. */
export function excludedFrom(name: TierName): string[] {
  return [...ELSEWHERE, ...TIER_NAMES.slice(0, TIER_NAMES.indexOf(name)).map((earlier) => TIERS[earlier])];
}

/** Null for a path that is no test file. */
export function tierOf(path: string): TierName | null {
  return TIER_NAMES.find((name) => matchesGlob(path, TIERS[name])) ?? null;
}
