/** What a program printed, an object a line. */
export function jsonLines<T>(text: string): readonly T[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as T);
}
