/** Rows under a head, as lists are printed: each column as wide as its widest cell, `-` for what is not there. */
import { printableLine } from "./printable.ts";

export type Cell = string | null;

/** Cells are made printable here. Without an end of line after the last row. */
export function columns(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const lines = [head, ...rows].map((row) => row.map((cell) => (cell === null ? "-" : printableLine(cell))));
  const widths = head.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
