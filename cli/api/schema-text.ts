/** The types of the HTTP interface, made from its OpenAPI document. schema.component.test.ts keeps clients/typescript/gen/schema.ts equal to this. */
import openapiTS, { astToString, COMMENT_HEADER, type OpenAPI3 } from "openapi-typescript";

export async function schemaText(document: object): Promise<string> {
  const nodes = await openapiTS(document as OpenAPI3, { immutable: true, exportType: true });
  return COMMENT_HEADER + astToString(nodes);
}
