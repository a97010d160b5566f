import { expect, test } from "vitest";
import { type ApiDocument, httpPage } from "./http-page.ts";
import { markdownTable } from "./markdown-table.ts";

function rowOf(operation: Partial<ApiDocument["paths"][string][string]>): string | undefined {
  const complete = { operationId: "listTasks", summary: "List tasks", tags: ["tasks"], responses: {}, ...operation };
  return httpPage({ paths: { "/v1/tasks": { get: complete } } })
    .split("\n")
    .find((line) => line.startsWith("| GET |"));
}

test("shows any one of several scopes, parameters but those of the path, and statuses in order", () => {
  const parameters = [
    { name: "id", in: "path", required: true },
    { name: "page", in: "query", required: true },
    { name: "idempotency-key", in: "header" },
  ];
  const security = [{ accessKey: ["services"] }, { accessKey: ["tasks:read"] }];
  expect(rowOf({ parameters, security, responses: { "404": {}, "200": {} } })).toBe(
    "| GET | `/v1/tasks` | List tasks | `services` or `tasks:read` |  | `page`\\*, *idempotency-key* | 200 404 |",
  );
});

test("shows an endpoint without a key, with any key, and with another scheme", () => {
  expect(rowOf({ security: [] })).toContain("| none |");
  expect(rowOf({})).toContain("| any key |");
  expect(rowOf({ security: [{ registryPassword: [] }, { accessKey: [] }] })).toContain("`registryPassword` or any key");
  expect(rowOf({ security: [{ accessKey: ["tasks:read"] }, { bearerAuth: ["tasks:read"] }] })).toContain(
    "| `tasks:read` |",
  );
});

test("shows the role that a change requires", () => {
  expect(rowOf({ operationId: "createInvitation" })).toContain("| admin |");
});

test("a cell with a bar or several lines stays one cell", () => {
  expect(
    markdownTable(["a"], [["x|y\n z"]])
      .split("\n")
      .at(-1),
  ).toBe("| x\\|y z |");
});
