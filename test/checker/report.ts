/** A verdict as text for people and as one JSON document. */
import type { Violation } from "./check.ts";
import type { Judged } from "./judge.ts";

const SHOWN_MAX = 100;
const PLACES_SHOWN_MAX = 6;

export interface Report {
  readonly files: readonly string[];
  readonly lines: number;
  readonly checks: readonly Judged[];
}

export function reportText({ files, lines, checks }: Report): string {
  const width = Math.max(...checks.map(({ name }) => name.length));
  const found = checks.flatMap(({ name, violations }) => violations.map((violation) => ({ name, violation })));
  const shown = found.slice(0, SHOWN_MAX).map(({ name, violation }) => violationText(name, violation));
  const rest = found.length > SHOWN_MAX ? [`… and ${found.length - SHOWN_MAX} more: --json has all`] : [];
  return [
    `${lines.toLocaleString("en")} lines of ${files.length === 1 ? "one file" : `${files.length} files`}`,
    ...checks.map((check) => `  ${check.name.padEnd(width)}  ${outcomeText(check)}`),
    ...shown,
    ...rest,
    found.length === 0 ? "No violation." : `${found.length} violation${found.length === 1 ? "" : "s"}.`,
  ].join("\n");
}

function outcomeText({ judged, lacks, violations }: Judged): string {
  if (judged === null) return `not checked: the history has ${lacks}`;
  return `${violations.length === 0 ? "holds" : `BROKEN ${violations.length} times`}: ${judged}`;
}

function violationText(name: string, { sentence, places }: Violation): string {
  const named = places.slice(0, PLACES_SHOWN_MAX).map(({ file, line }) => `${file}:${line}`);
  const more = places.length > PLACES_SHOWN_MAX ? [`and ${places.length - PLACES_SHOWN_MAX} more`] : [];
  const at = [...named, ...more].join(", ");
  return `${name}: ${sentence}${at === "" ? "" : ` (${at})`}`;
}

export function reportJson({ files, lines, checks }: Report): string {
  const violations = checks.flatMap(({ name, violations: found }) =>
    found.map(({ sentence, taskIds, places }) => ({ check: name, sentence, task_ids: taskIds, lines: places })),
  );
  const ran = checks.map(({ name, judged, lacks, violations: found }) => ({
    name,
    ran: judged !== null,
    ...(judged === null ? { lacks } : { judged, violations: found.length }),
  }));
  return JSON.stringify({ files, lines, checks: ran, violations }, null, 2);
}
