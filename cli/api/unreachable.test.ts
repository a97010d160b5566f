import { expect, test } from "vitest";
import { unreachable } from "./unreachable.ts";

test("explains a port that fetch refuses", async () => {
  const cause = await fetch("http://127.0.0.1:1").catch((error: unknown) => error);
  expect(unreachable("http://127.0.0.1:1", cause).message).toBe(
    "Could not reach http://127.0.0.1:1: HTTP clients refuse to connect to that port, which is another protocol's; " +
      "serve on another one.",
  );
});

test("explains a port where nothing listens", () => {
  const cause = new TypeError("fetch failed", { cause: Object.assign(new Error("x"), { code: "ECONNREFUSED" }) });
  expect(unreachable("http://h", cause).message).toBe("Could not reach http://h: nothing listens there.");
});
