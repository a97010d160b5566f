/** Values that a JSON schema of the document lets pass. */
import fc from "fast-check";
import type { ApiDocument, Schema } from "./api-document.ts";

const STRING_CHARS_MAX = 64;
const ITEMS_MAX = 4;

export interface Making {
  readonly document: ApiDocument;
  /** Values of members, by their name, that mean something to the endpoint. */
  readonly hints: Readonly<Record<string, readonly unknown[]>>;
}

export function valuesOf(making: Making, schema: Schema, name = ""): fc.Arbitrary<unknown> {
  const hints = making.hints[name];
  if (hints !== undefined) return schema.type === "array" ? fc.subarray([...hints]) : fc.constantFrom(...hints);
  if (schema.$ref !== undefined) return valuesOf(making, resolve(making.document, schema.$ref), name);
  if ("const" in schema) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map((one) => valuesOf(making, one)));
  const types = [schema.type ?? []].flat();
  return types.length === 0 ? fc.jsonValue() : fc.oneof(...types.map((type) => ofType(making, type, schema)));
}

function resolve({ components }: ApiDocument, ref: string): Schema {
  const schema = components.schemas[ref.replace("#/components/schemas/", "")];
  if (schema === undefined) throw new Error(`${ref} is not in the document`);
  return schema;
}

function ofType(making: Making, type: string, schema: Schema): fc.Arbitrary<unknown> {
  switch (type) {
    case "string":
      return strings(schema);
    case "integer":
    case "number":
      return integers(schema);
    case "boolean":
      return fc.boolean();
    case "null":
      return fc.constant(null);
    case "array":
      return arrays(making, schema);
    case "object":
      return objects(making, schema);
    default:
      throw new Error(`a schema of the type ${type} is not known here`);
  }
}

function strings({ pattern, minLength = 0, maxLength = STRING_CHARS_MAX }: Schema): fc.Arbitrary<string> {
  if (pattern !== undefined) return fc.stringMatching(new RegExp(pattern));
  return fc.string({ minLength, maxLength: Math.min(maxLength, STRING_CHARS_MAX), unit: "grapheme" });
}

function integers({ minimum = -1e6, maximum = 1e6 }: Schema): fc.Arbitrary<number> {
  const max = Math.min(maximum, 2 ** 31 - 1);
  return fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: Math.max(minimum, -(2 ** 31)), max }));
}

function arrays(making: Making, { items = {}, minItems = 0, maxItems = ITEMS_MAX }: Schema): fc.Arbitrary<unknown[]> {
  const maxLength = Math.max(minItems, Math.min(maxItems, ITEMS_MAX));
  return fc.array(valuesOf(making, items), { minLength: minItems, maxLength });
}

function objects(making: Making, schema: Schema): fc.Arbitrary<object> {
  const { properties = {}, required = [], additionalProperties, propertyNames = { type: "string" } } = schema;
  const members = Object.fromEntries(
    Object.entries(properties).map(([name, member]) => [name, valuesOf(making, member, name)]),
  );
  const known = fc.record(members, { requiredKeys: [...required] });
  if (typeof additionalProperties !== "object") return known;
  const more = fc.dictionary(strings(propertyNames), valuesOf(making, additionalProperties), { maxKeys: ITEMS_MAX });
  return fc.tuple(more, known).map(([others, named]) => ({ ...others, ...named }));
}
