import fc from "fast-check";
import { expect, test } from "vitest";
import { curlLine } from "./curl-line.ts";

/** As a POSIX shell reads a line that has single quotes and backslashes outside of them. */
function words(line: string): readonly string[] {
  const found: string[] = [];
  let word: string | null = null;
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === " ") {
      if (word !== null) found.push(word);
      word = null;
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) throw new Error(`a quote is open: ${line}`);
      word = (word ?? "") + line.slice(at + 1, end);
      at = end;
    } else {
      word = (word ?? "") + (character === "\\" ? line[++at] : character);
    }
  }
  return word === null ? found : [...found, word];
}

test("posts an input with a key", () => {
  expect(curlLine({ url: "https://h/v1/services/1", key: "eps_1", input: '{\n  "n": 1\n}' })).toBe(
    `curl -sS 'https://h/v1/services/1' -H 'x-api-key: eps_1' -H 'content-type: application/json' -d '{"input":{"n": 1}}'`,
  );
});

test("is one command with the same words for a shell, whatever the input", () => {
  fc.assert(
    fc.property(fc.json(), fc.constantFrom("it's", "$(reboot)", "`id`", "a\\", '"; rm -rf ~'), (json, text) => {
      const input = JSON.stringify([JSON.parse(json), text]);
      const line = curlLine({ url: "https://h/", key: "eps_1", input });
      expect(words(line).slice(-2)).toEqual(["-d", `{"input":${input}}`]);
      expect(words(line)).toHaveLength(9);
    }),
  );
});
