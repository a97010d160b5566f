/** Whether this program understands a record that a later one may have written, and whether any program would. Pure. */
import type { FieldsByValue, FieldType } from "./deciding-fields.ts";
import type { RecordSchema } from "./record-schemas.ts";

const VALUE_CHARS_MAX = 64;

/** Why a later program wrote it, as far as this one can see; null for one that it understands. */
export function whyUnreadable(schema: RecordSchema, version: number, value: object): string | null {
  if (version > schema.version) return `it is of version ${version}, and this program knows ${schema.version}`;
  for (const [path, known] of Object.entries(schema.values)) {
    for (const found of valuesAt(value, stepsOf(path))) {
      if (typeof found === "string" && known.includes(found)) continue;
      return `its ${path} is ${JSON.stringify(found)?.slice(0, VALUE_CHARS_MAX)}, which this program does not know`;
    }
  }
  return null;
}

/** What a record lacks without which nothing can be decided about it; null for a complete one. */
export function whyMalformed({ deciding, decidingByValue }: RecordSchema, value: object): string | null {
  return lackOf(deciding, value) ?? (decidingByValue === null ? null : lackOf(fieldsOf(decidingByValue, value), value));
}

function fieldsOf({ of, fields }: FieldsByValue, value: object): Fields {
  const [found] = valuesAt(value, stepsOf(of));
  return (typeof found === "string" ? fields[found] : undefined) ?? {};
}

type Fields = Readonly<Record<string, FieldType>>;

function lackOf(fields: Fields, value: object): string | null {
  for (const path in fields) {
    const type = fields[path];
    let found: unknown = value;
    for (const step of stepsOf(path)) found = (found as Readonly<Record<string, unknown>> | null | undefined)?.[step];
    if (type !== undefined && !isOf(found, type)) return `its ${path} is no ${type.replace(" or null", "")}`;
  }
  return null;
}

function isOf(found: unknown, type: FieldType): boolean {
  switch (type) {
    case "text":
      return typeof found === "string";
    case "text or null":
      return typeof found === "string" || found === null;
    case "number":
      return Number.isFinite(found);
    case "number or null":
      return Number.isFinite(found) || found === null;
    case "list":
      return Array.isArray(found);
    case "object":
      return typeof found === "object" && found !== null;
  }
}

/** Split once: every record that is read is judged. */
const steps = new Map<string, readonly string[]>();

function stepsOf(path: string): readonly string[] {
  const known = steps.get(path);
  if (known !== undefined) return known;
  const split = path.split(".");
  steps.set(path, split);
  return split;
}

/** Nothing where a field on the way is absent. */
function valuesAt(value: unknown, [step, ...rest]: readonly string[]): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (step === undefined) return [value];
  const isList = step.endsWith("[]");
  const field = (value as Readonly<Record<string, unknown>>)[isList ? step.slice(0, -2) : step];
  if (!isList) return valuesAt(field, rest);
  return Array.isArray(field) ? field.flatMap((entry) => valuesAt(entry, rest)) : valuesAt(field, []);
}
