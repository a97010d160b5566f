import { expect, test } from "vitest";
import { bytesText } from "./bytes-text.ts";

test.each([
  [0, "0 B"],
  [1023, "1023 B"],
  [1536, "1.5 KiB"],
  [80 * 2 ** 30, "80 GiB"],
  [2 ** 53, "8192 TiB"],
])("shows %d bytes as %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});
