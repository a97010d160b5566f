/**
 * A build file as BuildKit's own front end reads it. `# syntax=docker/dockerfile:1` would fetch that front end as an
 * image; the one that is built in serves the same. There are as many lines as before. Pure.
 */

const SYNTAX =
  /^#\s*syntax\s*=\s*(?:docker\.io\/)?docker\/dockerfile(?:-upstream)?(?::[\w.-]+)?(?:@sha256:[0-9a-f]{64})?\s*$/i;
/** Directives stand before anything else; a comment ends them. */
const DIRECTIVE = /^#\s*[a-zA-Z][a-zA-Z0-9]*\s*=/;

export function withBuiltInFrontEnd(text: string): string {
  const lines = text.split("\n");
  const end = lines.findIndex((line) => !DIRECTIVE.test(line));
  const directives = lines.slice(0, end === -1 ? lines.length : end);
  const others = directives.filter((line) => !SYNTAX.test(line));
  const removed = directives.length - others.length;
  return [...others, ...Array<string>(removed).fill("#"), ...lines.slice(directives.length)].join("\n");
}
