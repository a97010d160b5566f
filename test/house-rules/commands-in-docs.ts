/** Commands in the guides exist, with the options that they are shown with: what a reader copies is understood. */
import { at, type SourceFile } from "./source-files.ts";

/** As commander has them. */
export interface KnownCommand {
  readonly name: string;
  /** `--tag`, `-d`. */
  readonly options: readonly string[];
  readonly commands: readonly KnownCommand[];
}

export interface Known {
  readonly elastic: KnownCommand;
  /** Of `npm run`. */
  readonly scripts: ReadonlySet<string>;
  /** Of `deploy/setup.sh`. */
  readonly setupParts: ReadonlySet<string>;
}

const FENCED = /^```[a-z]*\n(.*?)^```$/gms;
const CODE_SPAN = /`([^`\n]+)`/g;
const QUOTED = /'[^']*'|"[^"]*"/g;
const COMMENT = /(^|\s)#.*/;
/** What begins another command in a line. */
const NEXT = /&&|\|\||[|;()]/;
const ASSIGNMENT = /^[A-Z_]+=\S*$/;

export function wrongCommands(documents: readonly SourceFile[], known: Known): readonly string[] {
  return documents.flatMap((document) =>
    codeOf(document.text).flatMap(({ text, index }) =>
      commandsIn(text)
        .map((words) => wrongIn(words, known))
        .filter((wrong) => wrong !== null)
        .map((wrong) => at(document, index, wrong)),
    ),
  );
}

interface Code {
  readonly text: string;
  readonly index: number;
}

function codeOf(text: string): readonly Code[] {
  const blocks = [...text.matchAll(FENCED)].flatMap(({ 0: block, 1: inner = "", index }) => {
    let from = index + block.indexOf(inner);
    return inner.split("\n").map((line) => {
      const code = { text: line, index: from };
      from += line.length + 1;
      return code;
    });
  });
  const prose = text.replace(FENCED, (block) => " ".repeat(block.length));
  const spans = [...prose.matchAll(CODE_SPAN)].map(({ 1: inner = "", index }) => ({ text: inner, index }));
  return [...blocks, ...spans];
}

function commandsIn(line: string): readonly (readonly string[])[] {
  const plain = line.replace(QUOTED, "VALUE").replace(COMMENT, "");
  return plain.split(NEXT).map((part) => {
    const words = part.trim().split(/\s+/);
    return words.slice(words.findIndex((word) => !ASSIGNMENT.test(word)));
  });
}

function wrongIn(words: readonly string[], { elastic, scripts, setupParts }: Known): string | null {
  const [program, first = "", ...rest] = words;
  if (program === "elastic" && first !== "" && first !== "…") return wrongOf(elastic, [first, ...rest]);
  if (program === "npm" && first === "run") {
    const [script = ""] = rest;
    return scripts.has(script) ? null : `there is no npm script ${script}`;
  }
  if (program === "bash" && first === "deploy/setup.sh") {
    const unknown = rest.find((part) => !setupParts.has(part));
    return unknown === undefined ? null : `deploy/setup.sh has no part ${unknown}`;
  }
  return null;
}

function wrongOf(top: KnownCommand, words: readonly string[]): string | null {
  let command = top;
  const path = [top.name];
  const options = new Set(["--help", "-h"]);
  for (const word of words) {
    if (word === "--") return null;
    const inner = command.commands.find(({ name }) => name === word);
    if (inner !== undefined) {
      command = inner;
      path.push(word);
    } else if (command === top && !word.startsWith("-")) {
      return `there is no command elastic ${word}`;
    } else if (command.commands.length > 0 && command.options.length === 0 && !word.startsWith("-")) {
      return `there is no command ${path.join(" ")} ${word}`;
    } else if (/^--?[a-z]/.test(word)) {
      const option = word.split("=")[0] ?? "";
      if (![...options, ...command.options].includes(option)) return `${path.join(" ")} has no option ${option}`;
    }
  }
  return null;
}
