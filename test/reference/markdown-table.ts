/** A table in Markdown, whose cells may hold any one-line text. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.map(escaped).join(" | ")} |`).join("\n");
}

function escaped(cell: string): string {
  return cell.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");
}

export function code(text: string): string {
  return `\`${text}\``;
}
