/** A measured time, with three digits at most. */

export function secondsText(seconds: number): string {
  if (seconds < 1) return `${Math.round(1000 * seconds)} ms`;
  if (seconds < 120) return `${digits(seconds)} s`;
  if (seconds < 7_200) return `${digits(seconds / 60)} min`;
  return `${digits(seconds / 3_600)} h`;
}

function digits(value: number): string {
  return String(Number(value.toPrecision(value < 100 ? 2 : 3)));
}
