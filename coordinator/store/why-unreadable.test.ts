import { expect, test } from "vitest";
import {
  aBuild,
  aDelivery,
  aDeployment,
  aNewService,
  aNode,
  anAssignment,
  aShell,
  aTask,
  aWebhook,
  aWorkload,
} from "../domain/testing/records.ts";
import type { FieldType } from "./deciding-fields.ts";
import { ALL_RECORD_KINDS, type RecordKind } from "./keys.ts";
import { schemaOf } from "./record-schemas.ts";
import { whyMalformed, whyUnreadable } from "./why-unreadable.ts";

const service = aNewService();
const deployment = aDeployment({ serviceId: service.id });
const webhook = aWebhook(service);
const assignment = anAssignment(deployment, "node-a");
const records: Partial<Record<RecordKind, object>> = {
  tasks: aTask(service),
  services: service,
  deployments: deployment,
  shells: aShell(),
  builds: aBuild(),
  nodes: aNode("node-a"),
  assignments: assignment,
  workloads: aWorkload(assignment),
  webhooks: webhook,
  deliveries: aDelivery(webhook),
};

test.each(Object.entries(records) as [RecordKind, object][])(
  "understands what this program writes of %s",
  (kind, value) => {
    expect(whyUnreadable(schemaOf(kind), 1, value)).toBeNull();
    expect(whyMalformed(schemaOf(kind), value)).toBeNull();
  },
);

/** With a value at the path, and nothing else. */
function withValue([step = "", ...rest]: readonly string[], value: unknown): unknown {
  if (step === "") return value;
  const isList = step.endsWith("[]");
  const below = withValue(rest, value);
  return { [isList ? step.slice(0, -2) : step]: isList ? [below] : below };
}

const paths = ALL_RECORD_KINDS.flatMap((kind) =>
  Object.keys(schemaOf(kind).values).map((path) => [kind, path] as const),
);

test.each(paths)("of %s does not read a value of %s that it does not know, or that is no text", (kind, path) => {
  const judge = (value: unknown) => whyUnreadable(schemaOf(kind), 1, withValue(path.split("."), value) as object);
  for (const known of schemaOf(kind).values[path] ?? []) expect(judge(known)).toBeNull();
  expect(judge(null)).toBeNull();
  expect(judge("of-a-later-version")).toBe(`its ${path} is "of-a-later-version", which this program does not know`);
  expect(judge(7)).toContain(`its ${path} is 7`);
});

test("does not read a record of a later version of its kind, whatever is in it", () => {
  const schema = { values: {}, deciding: {}, decidingByValue: null };
  expect(whyUnreadable({ version: 1, ...schema }, 2, {})).toBe("it is of version 2, and this program knows 1");
  expect(whyUnreadable({ version: 2, ...schema }, 1, {})).toBeNull();
});

type Values = Readonly<Record<string, string>>;

/** Of each field: what else makes it be judged. */
const deciding = ALL_RECORD_KINDS.flatMap((kind) => {
  const { deciding: fields, decidingByValue } = schemaOf(kind);
  const always = Object.keys(fields).map((path): readonly [RecordKind, string, Values] => [kind, path, {}]);
  if (decidingByValue === null) return always;
  const byValue = Object.entries(decidingByValue.fields).flatMap(([value, more]) =>
    Object.keys(more).map((path): readonly [RecordKind, string, Values] => [
      kind,
      path,
      { [decidingByValue.of]: value },
    ]),
  );
  return [...always, ...byValue];
});

test.each(deciding)("of %s does not read one without %s, or where it has another type", (kind, path, values) => {
  const schema = schemaOf(kind);
  const more = schema.decidingByValue?.fields[Object.values(values)[0] ?? ""] ?? {};
  const fields = { ...schema.deciding, ...more };
  expect(whyMalformed(schema, recordOf(fields, values))).toBeNull();
  for (const wrong of [undefined, true])
    expect(whyMalformed(schema, recordOf(fields, { ...values, [path]: wrong }))).toMatch(`its ${path} is no `);
});

const EXAMPLES = { text: "a", "text or null": null, number: 1, "number or null": null, list: [], object: {} };

/** With an example of each field, but for the given values. */
function recordOf(fields: Readonly<Record<string, FieldType>>, values: Readonly<Record<string, unknown>>): object {
  const record: Record<string, unknown> = {};
  for (const [path, type] of Object.entries(fields)) {
    const steps = path.split(".");
    let at = record;
    for (const step of steps.slice(0, -1)) {
      at[step] = at[step] ?? {};
      at = at[step] as Record<string, unknown>;
    }
    at[steps.at(-1) ?? ""] = path in values ? values[path] : EXAMPLES[type];
  }
  return record;
}
