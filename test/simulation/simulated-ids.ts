/** Ids that are the same in every run, in every program. */
export function idOf(number: number): string {
  return `0000000000007000800000${number.toString(16).padStart(10, "0")}`;
}

export const TEAM = idOf(1);
export const USER = idOf(2);
