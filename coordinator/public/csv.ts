/** Comma-separated values (RFC 4180), whose cells no spreadsheet runs as a formula. Pure. */

/**
 * What spreadsheets take for the begin of a formula, full-width forms included, with the space that some skip before it:
 * at the begin of a cell, or after what some split a line at, quoted or not.
 */
const FORMULA = /(^|[;\t\r\n])(?=[^\S\t\r\n]{0,8}[=+\-@\uff1d\uff0b\uff0d\uff20])/g;
/** Spreadsheets skip these, however many they are. */
const BEGIN_SKIPPED = /^[\t\r\n]/;
const NEEDS_QUOTES = /[",;\t\r\n]/;

export type CsvCell = string | number | null;

/** One line with its end. Null is an empty cell. */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

/** What looks like a formula gets an apostrophe before it, with which spreadsheets take it for text. */
function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const text = cell.replace(BEGIN_SKIPPED, "'$&").replace(FORMULA, "$1'");
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
