import { describe, expect, test } from "vitest";
import { isExposed, parseServerAddress } from "./server-address.ts";

describe("the address of a server", () => {
  test.each([
    ["http://127.0.0.1:8080/", "http://127.0.0.1:8080"],
    ["https://proving.example.com/base/", "https://proving.example.com/base"],
  ])("%s becomes %s", (given, address) => expect(parseServerAddress(given)).toBe(address));

  test.each(["proving.example.com", "ftp://host", "https://user@host", "https://host/?a=1", ""])(
    "%j is refused",
    (bad) => expect(() => parseServerAddress(bad)).toThrow(/address/),
  );

  test("is exposed when it is plain http to another machine", () => {
    const exposed = ["http://127.0.0.1:1", "http://localhost", "http://[::1]:1", "https://a.example"].map(isExposed);
    expect(exposed).toEqual([false, false, false, false]);
    expect(isExposed("http://127.example.com")).toBe(true);
    expect(isExposed("http://10.0.0.1:8080")).toBe(true);
  });
});
