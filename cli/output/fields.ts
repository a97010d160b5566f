/** Lines of `name: value`, as `service info` and `task info` print them. */
import { printable } from "./printable.ts";

export type Field = readonly [name: string, value: string | number | null | undefined];

/** One line for each field; further lines of a value are indented. What is not there is shown as `-`. */
export function fieldLines(fields: readonly Field[]): string {
  return fields.map(([name, value]) => `${name}: ${shown(value)}`).join("\n");
}

function shown(value: Field[1]): string {
  if (value === null || value === undefined || value === "") return "-";
  return printable(String(value)).trimEnd().replaceAll("\n", "\n  ");
}
