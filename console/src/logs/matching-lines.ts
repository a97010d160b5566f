/** The lines that have a text, as they are shown, in any case. Pure. */
import { visibleLine } from "../text/visible-text.ts";
import type { LogLine } from "./log-buffer.ts";

export function matchingLines(lines: readonly LogLine[], search: string): readonly LogLine[] {
  const wanted = search.trim().toLowerCase();
  if (wanted === "") return lines;
  return lines.filter(({ text }) => visibleLine(text).toLowerCase().includes(wanted));
}
