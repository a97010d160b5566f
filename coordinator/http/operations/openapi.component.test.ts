/** The document is valid by a public validator. Every call of every test checks that its response is as the document describes it. */

import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiDocument, documentOf, operationsOf } from "../testing/api-document.ts";
import { type HttpFixture, startHttpFixture } from "../testing/http-fixture.ts";
import { EXAMPLES } from "./request-examples.ts";

/** Open to everybody. */
const OPEN: ReadonlySet<string> = new Set([
  "health",
  "ready",
  "getOpenApi",
  "listLoginProviders",
  "startLogin",
  "finishLogin",
  "finishSourceLink",
  "receiveSourceEvent",
]);

let api: HttpFixture;
let document: ApiDocument;

beforeAll(async () => {
  api = await startHttpFixture();
  document = await documentOf(api.url);
});
afterAll(() => api.close());

test("it is a valid OpenAPI 3.1 document", async () => {
  expect(document.openapi).toBe("3.1.0");
  const result = await new Validator().validate({ ...structuredClone(document) });
  expect(result).toMatchObject({ valid: true });
});

test("every operation has a unique name and describes its refusals, all as problems", () => {
  const operations = operationsOf(document).map(({ operation }) => operation);
  const names = operations.map(({ operationId }) => operationId);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(40);
  for (const { operationId, responses } of operations) {
    const all = OPEN.has(operationId) ? ["400", "415"] : ["400", "401", "415", "429", "503"];
    expect([operationId, Object.keys(responses)]).toEqual([operationId, expect.arrayContaining(all)]);
    const refused = Object.entries(responses).filter(([status]) => Number(status) >= 400);
    for (const [status, { content }] of refused) {
      const problem = { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } };
      expect([operationId, status, content]).toEqual([operationId, status, problem]);
    }
  }
});

test("what is sent to webhooks is described, and the records in it are those of the interface", () => {
  const described = JSON.stringify((document as unknown as { webhooks: object }).webhooks);
  const names = [...described.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name = ""]) => name);
  expect(names).toEqual(["Task", "Deployment"]);
  expect(document.components.schemas).toMatchObject({ Task: {}, Deployment: {} });
});

test("every response is described, every schema is used, and the licence is named", () => {
  const { info } = document as unknown as { readonly info: { readonly license?: object } };
  expect(info.license).toEqual({ name: "MIT OR Apache-2.0", identifier: "MIT OR Apache-2.0" });
  for (const { operation } of operationsOf(document)) {
    for (const [status, response] of Object.entries(operation.responses)) {
      const { description } = response as { readonly description?: string };
      expect([operation.operationId, status, description]).toEqual([
        operation.operationId,
        status,
        expect.stringMatching(/^(?!Default Response)./),
      ]);
    }
  }
  const text = JSON.stringify(document);
  const names = Object.keys(document.components.schemas);
  expect(names.length).toBeGreaterThan(40);
  expect(names.filter((name) => !text.includes(`"#/components/schemas/${name}"`))).toEqual([]);
});

test("every request with members in its body has an example, which is as its schema says", () => {
  const bodies = operationsOf(document).flatMap(({ operation }) => {
    const media = operation.requestBody?.content["application/json"] as
      | { schema: { type?: string }; example?: unknown }
      | undefined;
    return media?.schema.type === undefined ? [] : [{ name: operation.operationId, ...media }];
  });
  expect(bodies.map(({ name }) => name).toSorted()).toEqual(Object.keys(EXAMPLES).toSorted());
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  for (const { name, schema, example } of bodies) {
    const isValid = ajv.compile({ ...schema, components: document.components });
    expect([name, isValid(example), isValid.errors]).toEqual([name, true, null]);
  }
});
