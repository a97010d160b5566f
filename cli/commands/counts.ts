/** Options that are numbers of something. */
import { InvalidArgumentError } from "commander";

export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(count)) throw new InvalidArgumentError("Give an integer.");
  return count;
}

/** Of what is counted from 1. */
export function parseOrdinal(text: string): number {
  const count = parseCount(text);
  if (count === 0) throw new InvalidArgumentError("Give an integer from 1 on.");
  return count;
}

/** Of what can be had in parts. */
export function parseAmount(text: string): number {
  const amount = Number(text);
  if (!/^\d{1,9}(\.\d{1,9})?$/.test(text)) throw new InvalidArgumentError("Give a number, as in 4 or 0.5.");
  return amount;
}

/** How many of a list. */
export function limitUpTo(max: number): (text: string) => number {
  return (text) => {
    const limit = parseCount(text);
    if (limit < 1 || limit > max) throw new InvalidArgumentError(`Give a number from 1 to ${max}.`);
    return limit;
  };
}
