/** Options that are numbers of something. */
import { InvalidArgumentError } from "commander";

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new InvalidArgumentError("Give a whole number.");
  return count;
}
