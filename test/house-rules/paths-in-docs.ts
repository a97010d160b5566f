/** Paths that the documents mention exist: a reader who follows one arrives. */
import { posix } from "node:path";
import { at, type SourceFile } from "./source-files.ts";

const LINK = /\]\(([^)\s#]+)[^)]*\)/g;
const CODE_SPAN = /`([^`\n]+)`/g;
const FENCED = /```.*?```/gs;
/** A path into this repository: a known top-level folder and more, without pattern or placeholder. */
const PATH = /^[\w.@-]+\/[\w./@-]*$/;
/** Written when the programs run or are built. */
const MADE = /^(target|node_modules|\.cache|\.demo|bench\/results|deploy\/template\/dist)\//;

/** `exists` gets paths relative to the repository's root, files and folders alike. */
export function deadPaths(
  documents: readonly SourceFile[],
  topLevel: ReadonlySet<string>,
  exists: (path: string) => boolean,
): readonly string[] {
  return documents.flatMap((document) => {
    const links = matches(document.text, LINK)
      .filter(({ text }) => !/^[a-z]+:/.test(text))
      .map(({ text, index }) => ({ index, path: posix.join(posix.dirname(document.path), text) }));
    const spans = matches(
      document.text.replace(FENCED, (block) => " ".repeat(block.length)),
      CODE_SPAN,
    )
      .filter(({ text }) => PATH.test(text) && topLevel.has(text.split("/")[0] ?? ""))
      .map(({ text, index }) => ({ index, path: posix.normalize(text) }));
    return [...links, ...spans]
      .filter(({ path }) => !MADE.test(path) && !exists(path.replace(/\/$/, "")))
      .map(({ path, index }) => at(document, index, `${path} does not exist`));
  });
}

function matches(text: string, pattern: RegExp): readonly { readonly text: string; readonly index: number }[] {
  return [...text.matchAll(pattern)].map((match) => ({ text: match[1] ?? "", index: match.index }));
}
