/** The examples of docs/clients.md, as programs. */
import { readFileSync } from "node:fs";
import { inRepository } from "@elastic/deploy/local/repository.ts";

export interface GuideExample {
  readonly language: "ts" | "python";
  /** What a person looks for when it fails: the heading that it is below. */
  readonly title: string;
  readonly code: string;
  /** Whether it receives requests until it is ended. */
  readonly isServer: boolean;
}

export function guideExamples(): readonly GuideExample[] {
  const guide = readFileSync(inRepository("docs", "clients.md"), "utf8");
  let heading = "";
  const examples: GuideExample[] = [];
  for (const [, title, language, code = ""] of guide.matchAll(/^## (.+)$|^```(ts|python)\n([\s\S]+?)^```$/gm)) {
    if (title !== undefined) heading = title;
    if (language !== "ts" && language !== "python") continue;
    examples.push({
      language,
      title: `${heading}, ${language}`,
      code,
      isServer: /\.listen\(|serve_forever/.test(code),
    });
  }
  return examples;
}
