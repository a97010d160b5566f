/** How long something took, for a person. Pure. */

const UNITS = [
  { ms: 86_400_000, name: "d" },
  { ms: 3_600_000, name: "h" },
  { ms: 60_000, name: "min" },
  { ms: 1_000, name: "s" },
] as const;

/** The two largest units, as `2 min 5 s`; `0 s` for less than a second. */
export function durationText(ms: number): string {
  let left = Math.max(0, ms);
  const parts = UNITS.flatMap(({ ms: unitMs, name }) => {
    const count = Math.floor(left / unitMs);
    left -= count * unitMs;
    return count === 0 ? [] : [`${count} ${name}`];
  });
  return parts.slice(0, 2).join(" ") || "0 s";
}

/** Between two times of the service. */
export function timeBetween(from: string, to: string): string {
  return durationText(Date.parse(`${to}Z`) - Date.parse(`${from}Z`));
}
