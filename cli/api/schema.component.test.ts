import { inRepository } from "@elastic/deploy/local/repository.ts";
import { startApiInMemory } from "@elastic/test/cluster/api-in-memory.ts";
import { expect, test } from "vitest";
import { schemaText } from "./schema-text.ts";

const GENERATED = inRepository("clients", "typescript", "gen", "schema.ts");

/** To regenerate the file after the interface has changed: npx vitest run --project component cli/api/schema.component.test.ts --update */
test("the types of the interface are those of its OpenAPI document", async () => {
  await using api = await startApiInMemory();
  await expect(await schemaText(await api.document())).toMatchFileSnapshot(GENERATED);
});
