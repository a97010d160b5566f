/** GitHub's description of its API: records with every member that it requires, and checks of all that is sent. */
import { Ajv2020 } from "ajv/dist/2020.js";
import description from "../login/github-openapi.json" with { type: "json" };

export type OperationName = keyof typeof description.operations;
export type EventName = keyof typeof description.events;

interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly nullable?: boolean;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly status: number;
  readonly request: Schema | null;
  readonly response: Schema | null;
}

const OPERATIONS = description.operations as unknown as Readonly<Record<OperationName, Operation>>;
const EVENTS = description.events as unknown as Readonly<Record<EventName, Schema>>;
const SCHEMAS = description.components.schemas as unknown as Readonly<Record<string, Schema>>;
const ERROR: Schema = { $ref: "#/components/schemas/basic-error" };

export const OPERATION_NAMES = Object.keys(OPERATIONS) as readonly OperationName[];

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const COMPONENTS = withNull(description.components);

/** Throws where GitHub would not respond so; returns the status and the record with all that it requires. */
export function describedResponse(
  name: OperationName,
  given: unknown,
): { readonly status: number; readonly body: unknown } {
  const { status, response } = OPERATIONS[name];
  return { status, body: response === null ? null : filled(response, given, name) };
}

/** Throws where the client's body is not one that GitHub describes. */
export function checkRequest(name: OperationName, body: unknown): void {
  const { request } = OPERATIONS[name];
  if (request !== null) check(request, body, `the request ${name}`);
}

export function checkError(body: unknown): void {
  check(ERROR, body, "an error");
}

export function describedEvent(name: EventName, given: unknown): unknown {
  return filled(EVENTS[name], given, `the event ${name}`);
}

function filled(schema: Schema, given: unknown, what: string): unknown {
  const record = fill(schema, given);
  check(schema, record, what);
  return record;
}

function check(schema: Schema, body: unknown, what: string): void {
  const isValid = ajv.validate({ ...(withNull(schema) as Schema), components: COMPONENTS }, body);
  if (!isValid) throw new Error(`GitHub describes ${what} otherwise: ${ajv.errorsText()}`);
}

/** OpenAPI 3.0 has `nullable` next to other things than a type; the validator does not. */
function withNull(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withNull);
  if (typeof schema !== "object" || schema === null) return schema;
  const members = Object.fromEntries(Object.entries(schema).map(([name, member]) => [name, withNull(member)]));
  if (members.nullable !== true || "type" in members) return members;
  const { nullable: _, ...rest } = members;
  return { anyOf: [rest, { type: "null" }] };
}

/** What is required and not given has the least value of its type. */
function fill(schema: Schema, given: unknown): unknown {
  const { type, required = [], properties = {}, items } = resolved(schema);
  if (given === undefined) return least(schema);
  if (Array.isArray(given)) return items === undefined ? given : given.map((one) => fill(items, one));
  if (typeof given !== "object" || given === null || (type !== "object" && required.length === 0)) return given;
  const names = new Set([...required, ...Object.keys(given)]);
  const members = given as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    [...names].map((name) => [name, name in properties ? fill(properties[name] ?? {}, members[name]) : members[name]]),
  );
}

function least(schema: Schema): unknown {
  const found = resolved(schema);
  if (found.nullable) return null;
  if (found.enum !== undefined) return found.enum[0];
  if (found.type === "object" || found.required !== undefined) return fill(found, {});
  if (found.type === "integer" || found.type === "number") return 0;
  if (found.type === "boolean") return false;
  return found.type === "array" ? [] : "";
}

/** The first of several that are possible, and all of those that hold together. */
function resolved(schema: Schema): Schema {
  const { $ref, allOf, anyOf, oneOf } = schema;
  if ($ref !== undefined) return resolved(SCHEMAS[$ref.split("/").at(-1) ?? ""] ?? {});
  const [first] = anyOf ?? oneOf ?? [];
  if (first !== undefined) return { ...resolved(first), ...(schema.nullable && { nullable: true }) };
  if (allOf === undefined) return schema;
  const parts = allOf.map(resolved);
  return {
    type: "object",
    required: parts.flatMap(({ required = [] }) => required),
    properties: Object.assign({}, ...parts.map(({ properties = {} }) => properties)),
  };
}
