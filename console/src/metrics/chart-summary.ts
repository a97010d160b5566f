/** What a chart shows, in words. Pure. */

export interface ChartLine {
  readonly label: string;
  readonly values: readonly (number | null)[];
}

export function chartSummary(lines: readonly ChartLine[], format: (value: number) => string): string {
  const known = lines.flatMap(({ label, values }) => {
    const present = values.filter((value) => value !== null);
    const last = present.at(-1);
    return last === undefined ? [] : [`${label} ${format(last)}, at most ${format(Math.max(...present))}`];
  });
  return known.length === 0 ? "No data for this time." : `Last: ${known.join("; ")}.`;
}
