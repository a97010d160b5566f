import { expect, test } from "vitest";
import { sizeText } from "./size-text.ts";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1024, "1.0 KiB"],
  [5 * 1024 ** 2, "5.0 MiB"],
  [64 * 1024 ** 3, "64.0 GiB"],
  [5000 * 1024 ** 4, "5000.0 TiB"],
])("%i bytes are %s", (bytes, text) => {
  expect(sizeText(bytes)).toBe(text);
});
