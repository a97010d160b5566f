/** The index of decisions lists every decision once: with its date, its title, and a status of one form. */
import { basename } from "node:path/posix";
import { at, type SourceFile } from "./source-files.ts";

export const INDEX = "docs/decisions/README.md";

const DECISION = /^docs\/decisions\/(\d{4}-\d{2}-\d{2})-[a-z0-9-]+\.md$/;
/** `| date | [title](file) | status |` */
const ROW = /^\| (\S+) \| \[(.+)\]\(([^)]+)\) \| (.+) \|$/gm;
const SUPERSEDED = /^superseded by \[.+\]\(([^)]+)\)$/;

export function indexMistakes(index: SourceFile, files: readonly SourceFile[]): readonly string[] {
  const decisions = new Map(files.filter(({ path }) => DECISION.test(path)).map((file) => [basename(file.path), file]));
  const rows = [...index.text.matchAll(ROW)].map(([, date = "", title = "", file = "", status = ""], order) => ({
    order,
    date,
    title,
    file,
    status,
  }));
  const missing = [...decisions.keys()]
    .filter((name) => !rows.some(({ file }) => file === name))
    .map((name) => `${INDEX} does not list ${name}`);
  const wrong = rows.flatMap(({ order, date, title, file, status }) => {
    const decision = decisions.get(file);
    const complain = (what: string): string => at(index, index.text.indexOf(`](${file})`), `${file}: ${what}`);
    if (decision === undefined) return [complain("is no decision")];
    const successor = SUPERSEDED.exec(status)?.[1];
    const isStatus = status === "accepted" || (successor !== undefined && decisions.has(successor));
    return [
      ...(rows.findIndex((row) => row.file === file) < order ? [complain("is listed twice")] : []),
      ...(DECISION.exec(decision.path)?.[1] === date ? [] : [complain("has another date")]),
      ...(titleOf(decision) === title ? [] : [complain(`its title is ${titleOf(decision)}`)]),
      ...(isStatus ? [] : [complain("a status is `accepted`, or `superseded by` and a link to a decision")]),
    ];
  });
  return [...missing, ...wrong];
}

/** Some headings begin with the date, which has a column. */
function titleOf({ text }: SourceFile): string {
  return /^# (?:\d{4}-\d{2}-\d{2}: )?(.+)/.exec(text)?.[1] ?? "";
}
