/** Completes the OpenAPI document that is made of the endpoints: examples, a sentence for each response, no dead schema. Pure. */
import { STATUS_CODES } from "node:http";
import { EXAMPLES } from "./request-examples.ts";

type Json = Record<string, unknown>;

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
/** What is written where an endpoint describes none. */
const NO_DESCRIPTION = "Default Response";
const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;

export function finishDocument(document: Json): Json {
  const paths = mapValues(document.paths as Json, (path) =>
    mapValues(path as Json, (operation, method) =>
      METHODS.includes(method as (typeof METHODS)[number]) ? finishOperation(operation as Json) : operation,
    ),
  );
  const components = document.components as Json;
  const schemas = components.schemas as Json;
  const used = referencesFrom({ paths, webhooks: document.webhooks }, schemas);
  const usedSchemas = Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)));
  return { ...document, ...alsoAsBearer(document), paths, components: { ...components, schemas: usedSchemas } };
}

function finishOperation(operation: Json): Json {
  const responses = mapValues(operation.responses as Json, (response, status) => {
    const { description, ...rest } = response as Json;
    return { description: description === NO_DESCRIPTION ? describe(status, rest, operation) : description, ...rest };
  });
  const example = EXAMPLES[String(operation.operationId)];
  return {
    ...operation,
    ...alsoAsBearer(operation),
    ...(example === undefined ? {} : { requestBody: withExample(operation, example) }),
    responses,
  };
}

/** Wherever a key is taken in its header, it is taken as a bearer token too. */
function alsoAsBearer({ security }: Json): { security?: readonly Json[] } {
  if (security === undefined) return {};
  const ways = security as readonly Json[];
  const bearer = ways.flatMap(({ accessKey }) => (accessKey === undefined ? [] : [{ bearerAuth: accessKey }]));
  return { security: [...ways, ...bearer] };
}

function withExample({ requestBody }: Json, example: unknown): Json {
  const body = requestBody as Json;
  return { ...body, content: mapValues(body.content as Json, (media) => ({ ...(media as Json), example })) };
}

/** `Created: Task.`, `OK: a page of Task.`, or what the operation does where its response has no record. */
function describe(status: string, { content }: Json, { summary }: Json): string {
  const schema = JSON.stringify(content ?? {});
  const names = [...schema.matchAll(REFERENCE)].map(([, name]) => name);
  const [name] = names;
  const isPage = /"properties":\{[^}]*"items":\{"type":"array"/.test(schema);
  const what = name === undefined ? `${summary}` : isPage ? `a page of ${name}` : name;
  return `${STATUS_CODES[status] ?? status}: ${what}.`;
}

/** Names of all schemas that `root` refers to, also through others. */
function referencesFrom(root: unknown, schemas: Json): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [root];
  while (open.length > 0) {
    for (const [, name = ""] of JSON.stringify(open.pop() ?? null).matchAll(REFERENCE)) {
      if (found.has(name)) continue;
      found.add(name);
      open.push(schemas[name]);
    }
  }
  return found;
}

function mapValues(object: Json, change: (value: unknown, key: string) => unknown): Json {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
