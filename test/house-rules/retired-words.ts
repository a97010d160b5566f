/** Words that were replaced by the field's own, from the table at the end of the glossary. Only enforced rows are rules. */
import type { SourceFile } from "./source-files.ts";
import type { WordRule } from "./words.ts";

export const GLOSSARY = "docs/glossary.md";

const TABLE = /^## Retired words$(.*)/ms;
const HEADING = /^\| Retired \| Write \| Enforced \|$/m;
const ROW = /^\| (`.*) \| (.*) \| (.*) \|$/;
const CODE_SPAN = /`([^`]+)`/g;
/** Sources and documents; JSON and lock files have words of others. */
const TEXTS = /\.(ts|tsx|mjs|md|rs|go|sh|proto|c|cc|h|cu|cuh|py|toml)$/;
/** Between two words stands what continues a comment in the next line. */
const SPACE = String.raw`\s+(?:(?:\*|//[/!]?|#)\s+)?`;

export function retiredWordRules(glossary: SourceFile): readonly WordRule[] {
  const table = TABLE.exec(glossary.text)?.[1] ?? "";
  if (!HEADING.test(table)) throw new Error(`${glossary.path} has no table of retired words`);
  return table.split("\n").flatMap((line) => {
    if (!line.startsWith("| `")) return [];
    const [, retired = "", instead = "", enforced = ""] = ROW.exec(line) ?? [];
    if (!/^(yes|no)$/.test(enforced)) throw new Error(`${glossary.path}: yes or no is missing in the row ${line}`);
    return enforced === "no" ? [] : words(retired).map((word) => ({ word, in: TEXTS, except: OWN, instead }));
  });
}

/** Where the words are named to be retired. */
const OWN = /^docs\/glossary\.md$/;

function words(cell: string): readonly RegExp[] {
  return [...cell.matchAll(CODE_SPAN)].map(([, text = ""]) => {
    const pattern = text.split(" ").map(escaped).join(SPACE);
    return new RegExp(`(?<!\\w)${pattern}(?!\\w)`, /[A-Z]/.test(text) ? "" : "i");
  });
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\-]/g, "\\$&");
}
