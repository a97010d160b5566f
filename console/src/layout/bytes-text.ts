/** A number of bytes for a person, in the unit that leaves one to four digits before the point. */
const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function bytesText(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < UNITS.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${Number(value.toFixed(value < 10 ? 1 : 0))} ${UNITS[unit]}`;
}
