/** Of a command that takes no arguments and has commands in it: a word that is none of them is named, with the nearest that is. */
import type { Command } from "commander";
import { usageError } from "../errors/cli-error.ts";

/** As many letters may be wrong, and less than half of them. */
const TYPOS_MAX = 2;

/** For a command with `allowExcessArguments`: commander would count the words instead. `otherwise` is the advice for a word near nothing. */
export function refuseWords(command: Command, otherwise: string): void {
  const [word, ...rest] = command.args;
  if (word === undefined) return;
  const path = pathOf(command);
  const inner = nearest(
    word,
    command.commands.map((child) => child.name()),
  );
  const flag = nearest(
    word,
    command.options.flatMap(({ long }) => (long == null ? [] : [long.slice(2)])),
  );
  const meant = inner ?? (flag === null ? null : `--${flag}`);
  throw usageError(
    `unknown command '${word}' of '${path}'`,
    meant === null ? otherwise : `Did you mean \`${[path, meant, ...rest].join(" ")}\`?`,
  );
}

export function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function nearest(word: string, names: readonly string[]): string | null {
  const [best] = names
    .map((name) => ({ name, typos: typosBetween(word, name) }))
    .filter(({ name, typos }) => typos <= TYPOS_MAX && 2 * typos < name.length)
    .sort((left, right) => left.typos - right.typos);
  return best?.name ?? null;
}

/** Levenshtein's distance, where two letters the wrong way round are one mistake. */
function typosBetween(left: string, right: string): number {
  let before: number[] = [];
  let above = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row++) {
    const current = [row];
    for (let column = 1; column <= right.length; column++) {
      const isSame = left[row - 1] === right[column - 1];
      const isSwapped =
        row > 1 && column > 1 && left[row - 1] === right[column - 2] && left[row - 2] === right[column - 1];
      current[column] = Math.min(
        (above[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (above[column - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[column - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = above;
    above = current;
  }
  return above[right.length] ?? 0;
}
