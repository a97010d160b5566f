import fc from "fast-check";
import { expect, test } from "vitest";
import { allowedOf, parseScopes } from "./scope.ts";

test("reads repositories by name and action, in one text or in several", () => {
  const pull = { type: "repository", name: "a/b", actions: ["pull"] };
  const both = { type: "repository", name: "c", actions: ["pull", "push"] };
  expect(parseScopes(["repository:a/b:pull", "repository:c:push,pull"])).toEqual([pull, both]);
  expect(parseScopes(["repository:a/b:pull repository:c:pull,push,pull"])).toEqual([pull, both]);
});

test("a name may hold the port of a host", () => {
  expect(parseScopes(["repository:h:5000/a:pull"])).toMatchObject([{ name: "h:5000/a" }]);
});

test("leaves out any other scope", () => {
  for (const scope of [
    "",
    "repository",
    "repository:a",
    "repository:a:",
    "repository:a:*",
    "repository:a:delete",
    "registry:catalog:*",
    "repository(plugin):a:pull",
    "REPOSITORY:a:pull",
  ]) {
    expect([scope, parseScopes([scope])]).toEqual([scope, []]);
  }
  expect(parseScopes(["repository:a:delete,pull,*"])).toMatchObject([{ actions: ["pull"] }]);
});

test("grants only what is both requested and allowed", () => {
  const part = fc.constantFrom("repository", "a", "b", "pull", "push", "*", ":", ",", " ");
  fc.assert(
    fc.property(fc.array(fc.array(part).map((parts) => parts.join(""))), (texts) => {
      const given = allowedOf(parseScopes(texts), (name, action) => name === "a" && action === "pull");
      for (const access of given) expect(access).toEqual({ type: "repository", name: "a", actions: ["pull"] });
      if (given.length > 0) expect(texts.join(" ")).toMatch(/repository:a:[^ ]*pull/);
    }),
  );
});
