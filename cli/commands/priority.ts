import { InvalidArgumentError } from "commander";

export function parsePriority(text: string): number {
  const priority = Number(text);
  if (!/^-?\d{1,2}$/.test(text) || Math.abs(priority) > 10) {
    throw new InvalidArgumentError("Give an integer from -10 to 10.");
  }
  return priority;
}
