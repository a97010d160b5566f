/** How long something lasts, as a person says it: `90d`, `12h`, `30m`, `45s`. */
import { InvalidArgumentError } from "commander";

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3_600, d: 86_400 };

/** In seconds. */
export function parseTimeSpan(text: string): number {
  const match = /^([1-9]\d{0,8})([smhd])$/.exec(text.trim());
  const seconds = SECONDS[match?.[2] ?? ""];
  if (match === null || seconds === undefined) throw new InvalidArgumentError("Give it as in 90d, 12h, 30m or 45s.");
  return Number(match[1]) * seconds;
}

/** As it would be given, in the largest unit of which it is a multiple. */
export function timeSpanText(seconds: number): string {
  const [letter, unit] = Object.entries(SECONDS).findLast(([, size]) => seconds % size === 0) ?? ["s", 1];
  return `${seconds / unit}${letter}`;
}

const SHORTEST_S = 60;

/** Of what expires: the service makes nothing that ends within a minute. */
export function parseLifetime(text: string): number {
  const seconds = parseTimeSpan(text);
  if (seconds < SHORTEST_S) throw new InvalidArgumentError(`Give at least ${SHORTEST_S}s.`);
  return seconds;
}
