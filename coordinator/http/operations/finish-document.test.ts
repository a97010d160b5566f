import { expect, test } from "vitest";
import { finishDocument } from "./finish-document.ts";

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ "application/json": { schema } });
const undescribed = { description: "Default Response" };
const page = { type: "object", properties: { items: { type: "array", items: ref("Task") } } };

function finished(operation: object, schemas: object) {
  const get = { operationId: "a", summary: "Do it", responses: {}, ...operation };
  return finishDocument({ paths: { "/a": { get } }, components: { schemas } }) as {
    readonly paths: {
      readonly "/a": { readonly get: Record<string, Record<string, { readonly description: string }>> };
    };
    readonly components: { readonly schemas: object };
  };
}

test.each([
  ["a record", { content: json(ref("Task")) }, "OK: Task."],
  ["a page", { content: json(page) }, "OK: a page of Task."],
  ["nothing", {}, "OK: Do it."],
])("describes a response of %s", (_what, response, description) => {
  const { paths } = finished({ responses: { 200: { ...undescribed, ...response } } }, { Task: {} });
  expect(paths["/a"].get.responses?.[200]?.description).toBe(description);
});

test("leaves a description that there is", () => {
  const { paths } = finished({ responses: { 200: { description: "Mine." } } }, {});
  expect(paths["/a"].get.responses?.[200]?.description).toBe("Mine.");
});

test("keeps the schemas that are referred to, also by others, and no other", () => {
  const schemas = {
    Task: { properties: { end: ref("End") } },
    End: {},
    TaskInput: { properties: { end: ref("Odd") } },
    Odd: {},
  };
  const { components } = finished({ responses: { 200: { ...undescribed, content: json(ref("Task")) } } }, schemas);
  expect(Object.keys(components.schemas)).toEqual(["Task", "End"]);
});

test("adds the example of an operation that has one", () => {
  const { paths } = finished({ operationId: "createService", requestBody: { content: json({}) } }, {});
  expect(paths["/a"].get.requestBody).toEqual({
    content: { "application/json": { schema: {}, example: { service_name: "poseidon" } } },
  });
});
