/** The OpenAPI document as a server under test gives it, and where a request falls in it. */

export interface ApiDocument {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
  readonly security: Security;
}

/** Any one of these sets opens an operation; none of them, where it is open to everybody. */
export type Security = readonly Readonly<Record<string, readonly string[]>>[];

export interface Operation {
  readonly operationId: string;
  readonly description?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly security?: Security;
}

export interface Parameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required: boolean;
  readonly schema: Schema;
}

/** By media type. */
export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

/** JSON Schema, of which the document uses these. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly propertyNames?: Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** One for a test process: all that it starts is of one working tree. */
let known: Promise<ApiDocument> | null = null;

/** `url` is any address of the server. */
export function documentOf(url: string): Promise<ApiDocument> {
  known ??= readDocument(url).catch((error: unknown) => {
    known = null;
    throw error;
  });
  return known;
}

async function readDocument(url: string): Promise<ApiDocument> {
  const response = await fetch(new URL("/v1/openapi.json", url));
  if (!response.ok) throw new Error(`${response.url}: ${response.status}`);
  return (await response.json()) as ApiDocument;
}

export interface Described {
  readonly method: string;
  /** As in the document: `/v1/tasks/{id}`. */
  readonly path: string;
  readonly operation: Operation;
}

/** What the document says of a request; null where it has no such route. HEAD gets the response of GET, without the body. */
export function describedAt(document: ApiDocument, method: string, target: string): Described | null {
  const requested = partsOf(target.split("?", 1)[0] ?? "").map(decoded);
  const name = method === "HEAD" ? "get" : method.toLowerCase();
  const fitting = Object.entries(document.paths).flatMap(([path, methods]) => {
    const operation = methods[name];
    return operation !== undefined && fits(partsOf(path), requested) ? [{ method, path, operation }] : [];
  });
  // A part that is written out goes before one that is named.
  return fitting.sort((a, b) => named(a.path) - named(b.path))[0] ?? null;
}

/** All that is described. */
export function operationsOf(document: ApiDocument): readonly Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
}

/** Whether it succeeds as a WebSocket only, which plain requests are refused with 426. */
export function isWebSocket({ operation }: Pick<Described, "operation">): boolean {
  return operation.responses[101] !== undefined;
}

function partsOf(path: string): readonly string[] {
  return path.split("/");
}

function fits(described: readonly string[], requested: readonly string[]): boolean {
  return (
    described.length === requested.length &&
    described.every((part, index) => (part.startsWith("{") ? requested[index] !== "" : part === requested[index]))
  );
}

/** As the router reads it. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function named(path: string): number {
  return path.split("{").length;
}
