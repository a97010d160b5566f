import { expect, test } from "vitest";
import { packageFolder } from "./package-folder.ts";

test.each([
  ["node_modules/zod/v4/core.js", "node_modules/zod"],
  ["node_modules/@grpc/grpc-js/build/index.js", "node_modules/@grpc/grpc-js"],
  ["node_modules/a/node_modules/@b/c/index.js", "node_modules/a/node_modules/@b/c"],
  ["console/node_modules/openapi-fetch/dist/index.mjs", "console/node_modules/openapi-fetch"],
  ["coordinator/main.ts", null],
  ["console/src/my_node_modules/a/b.ts", null],
])("of %s finds %s", (path, folder) => {
  expect(packageFolder(path)).toBe(folder);
});
