/** Versions of the programs, compared as https://semver.org/ defines it: pure. */

const VERSION = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z-]+(?:\.[0-9A-Za-z-]+)*))?$/;
const LENGTH_MAX = 64;

export function isVersion(text: string): boolean {
  return text.length <= LENGTH_MAX && VERSION.test(text);
}

/** Negative where `a` is the older one. Both are versions. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const [index, number] of left.numbers.entries()) {
    const difference = number - (right.numbers[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return comparePreReleases(left.preRelease, right.preRelease);
}

function partsOf(version: string) {
  const [, major = "0", minor = "0", patch = "0", preRelease = ""] = VERSION.exec(version) ?? [];
  return { numbers: [Number(major), Number(minor), Number(patch)], preRelease };
}

/** What has none is later than each that has one. */
function comparePreReleases(a: string, b: string): number {
  if (a === b) return 0;
  if (a === "" || b === "") return a === "" ? 1 : -1;
  const [left, right] = [a.split("."), b.split(".")];
  for (const [index, part] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    const difference = compareIdentifiers(part, other);
    if (difference !== 0) return difference;
  }
  return -1;
}

/** Numbers are before words. */
function compareIdentifiers(a: string, b: string): number {
  const [aIsNumber, bIsNumber] = [/^\d+$/.test(a), /^\d+$/.test(b)];
  if (aIsNumber && bIsNumber) return Number(a) - Number(b);
  if (aIsNumber !== bIsNumber) return aIsNumber ? -1 : 1;
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
