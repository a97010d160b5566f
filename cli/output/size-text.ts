/** A number of bytes in the unit that a person reads. */

const UNITS = ["B", "KiB", "MiB", "GiB", "TiB"];

export function sizeText(bytes: number): string {
  let size = bytes;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size : size.toFixed(1)} ${UNITS[unit]}`;
}
