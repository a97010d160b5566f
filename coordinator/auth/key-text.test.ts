import fc from "fast-check";
import { expect, test } from "vitest";
import { formatKeyText, newKeyText, parseKeyText } from "./key-text.ts";

test("a new key reads back as itself and has 178 bits of secret", () => {
  const key = newKeyText();
  const text = formatKeyText(key);
  expect(text).toMatch(/^eps_[0-9A-Za-z]{10}_[0-9A-Za-z]{36}$/);
  expect(parseKeyText(text)).toEqual(key);
});

test("any one changed character is refused by the checksum", () => {
  const text = formatKeyText(newKeyText());
  for (let at = 0; at < text.length; at++) {
    const other = text.charAt(at) === "a" ? "b" : "a";
    expect(parseKeyText(text.slice(0, at) + other + text.slice(at + 1))).toBeNull();
  }
});

test("what is not a key is refused", () => {
  const text = formatKeyText(newKeyText());
  for (const wrong of ["", "eps_", text.slice(1), `${text}a`, ` ${text}`, `${text}\n`, text.toUpperCase()]) {
    expect(parseKeyText(wrong)).toBeNull();
  }
  fc.assert(fc.property(fc.string({ maxLength: 80 }), (noise) => parseKeyText(noise) === null));
});
