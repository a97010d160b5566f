/** Comma-separated values (RFC 4180), whose cells no spreadsheet runs as a formula. Pure. */

/** What spreadsheets take for the begin of a formula, or skip to find one. */
const FORMULA = /^[=+\-@\t\r\n]/;
const NEEDS_QUOTES = /[",\r\n]/;

export type CsvCell = string | number | null;

/** One line with its end. Null is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/** A text that looks like a formula gets an apostrophe before it, with which spreadsheets take it for text. */
function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = FORMULA.test(cell) ? `'${cell}` : cell;
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
