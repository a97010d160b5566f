/** The scenarios of docs/faults.md: which files it lists under which heading. */
export const ONE_FAULT = "One fault";
export const SEVERAL_FAULTS = "Several faults";

/** In the order of the document. */
export function listedScenarios(document: string, heading: string): readonly string[] {
  const [, section = ""] = document.split(`\n## ${heading}\n`);
  const [table = ""] = section.split("\n## ");
  return [...table.matchAll(/^\|.*?`(test\/[\w/-]+\.test\.ts)`.*\|$/gm)].map(([, file = ""]) => file);
}
