import { expect, test } from "vitest";
import { readLinkSearch } from "./link-search.ts";

test("reads what it understands of an address, and leaves out the rest", () => {
  const id = "0".repeat(32);
  expect(readLinkSearch({ connection_id: id })).toEqual({ connection_id: id });
  expect(readLinkSearch({ source_error: "declined", source_host: "github", other: 1 })).toEqual({
    source_error: "declined",
    source_host: "github",
  });
  expect(readLinkSearch({ connection_id: "../x", source_error: {}, source_host: 7 })).toEqual({});
});
