/** Rows as a table for people. */
import type { Row } from "../benchmark/row.ts";

const HEADINGS = ["name", "size", "threads", "unit", "ours", "peer", "peer name", "ratio", "goal"];

export function table(rows: readonly Row[]): string {
  const lines = [HEADINGS, ...rows.map(cells)];
  const widths = HEADINGS.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)));
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}

function cells(row: Row): string[] {
  const goal = row.goal === null ? "" : `${row.goal} ${row.ratio >= row.goal ? "met" : "MISSED"}`;
  const threads = row.threads === 0 ? "" : String(row.threads);
  return [row.name, row.size, threads, row.unit, `${row.ours}`, `${row.peer}`, row.peer_name, `${row.ratio}`, goal];
}
