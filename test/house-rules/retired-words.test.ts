import { describe, expect, test } from "vitest";
import { GLOSSARY, retiredWordRules } from "./retired-words.ts";
import { type SourceFile, sourceFiles } from "./source-files.ts";
import { forbiddenWords } from "./words.ts";

const planted = (...rows: readonly string[]): SourceFile => ({
  path: GLOSSARY,
  text: ["## Retired words", "", "| Retired | Write | Enforced |", "| --- | --- | --- |", ...rows].join("\n"),
});

test("no text has a word that is retired and enforced", () => {
  const files = sourceFiles();
  const glossary = files.find(({ path }) => path === GLOSSARY) ?? { path: GLOSSARY, text: "" };
  const rules = retiredWordRules(glossary);
  expect(rules.length).toBeGreaterThan(5);
  expect(forbiddenWords(files, rules)).toEqual([]);
});

describe("a planted word is found", () => {
  const rules = retiredWordRules(
    planted(
      "| `walled`, `put up walls` | sandboxed | yes |",
      "| `hungrySince` | unschedulable since | yes |",
      "| `said-of-any-gpu` | driver-level error | yes |",
      "| `reign` | leader term | no |",
    ),
  );
  const found = (path: string, text: string) => forbiddenWords([{ path, text }], rules);

  test.each([
    ["agent/a.ts", "// How provers are walled in."],
    ["docs/a.md", "Walled in, as said."],
    ["agent/a.ts", "const { hungrySince } = service;"],
    ["agent/a.ts", 'import { x } from "./said-of-any-gpu.ts";'],
    ["sdk/src/a.rs", "/// They put\n/// up walls around it."],
    ["agent/a.ts", "/**\n * They put up\n * walls. */"],
    ["deploy/a.sh", "# put up\n# walls"],
  ])("in %s: %s", (path, text) => {
    expect(found(path, text)).toHaveLength(1);
  });

  test("with its replacement", () => {
    expect(found("docs/a.md", "\nwalled")).toEqual(['docs/a.md:2: "walled"; instead: sandboxed']);
  });

  test("and others are not", () => {
    expect(found("docs/a.md", "firewalled, walledness, and the reign of a leader")).toEqual([]);
    expect(found("agent/a.ts", "const HUNGRYSINCE = hungrysince;")).toEqual([]);
    expect(found("test/login/github-openapi.json", '"walled"')).toEqual([]);
    expect(found(GLOSSARY, "| `walled` | sandboxed | yes |")).toEqual([]);
  });
});

describe("a table that cannot be read is an error", () => {
  test("without a heading", () => {
    expect(() => retiredWordRules({ path: GLOSSARY, text: "# Glossary" })).toThrow("has no table of retired words");
  });
  test("with a row that does not say whether it is enforced", () => {
    expect(() => retiredWordRules(planted("| `reign` | leader term | perhaps |"))).toThrow("yes or no is missing");
    expect(() => retiredWordRules(planted("| `reign` | leader term |"))).toThrow("yes or no is missing");
  });
});
