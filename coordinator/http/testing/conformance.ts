/**
 * Whether a response is one that the OpenAPI document describes. Whoever calls the interface in a test checks this for
 * every response: a route, a status, a content type or a member that is not in the document fails the test.
 */
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { type ApiDocument, type Content, describedAt, documentOf } from "./api-document.ts";

export interface Exchange {
  /** Any address of the server. */
  readonly server: string;
  readonly method: string;
  /** Path and query, as they were sent. */
  readonly target: string;
  readonly status: number;
  readonly headers: Headers;
  /** Null for one whose body was not read, or not to its end. */
  readonly text: string | null;
}

/** Said of what is no request to any route, before a route is looked for. */
const BEFORE_ROUTES: ReadonlySet<number> = new Set([400, 408, 417, 431]);
/** Said where there is no route. */
const NO_ROUTE: ReadonlySet<number> = new Set([404, 405, 415]);
const DATE_TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?Z$/;
const PROBLEM = "application/problem+json";

export async function expectDescribed(exchange: Exchange): Promise<void> {
  const document = await documentOf(exchange.server);
  const violation = violationOf(document, exchange);
  if (violation === null) return;
  const { method, target, status, text } = exchange;
  const shown = `${method} ${target}: ${status} ${text?.slice(0, 500) ?? ""}`;
  throw new Error(`not as the OpenAPI document says: ${violation}\n${shown}`);
}

/** The same for a response whose body somebody else reads. */
export async function expectHeadDescribed(response: Response, method = "GET"): Promise<void> {
  const { pathname, search } = new URL(response.url);
  const { status, headers } = response;
  await expectDescribed({ server: response.url, method, target: pathname + search, status, headers, text: null });
}

/** What the document does not say of it; null where all is as it says. */
function violationOf(document: ApiDocument, exchange: Exchange): string | null {
  const { method, target, status } = exchange;
  const described = describedAt(document, method, target);
  const content = described?.operation.responses[status]?.content;
  if (described?.operation.responses[status] !== undefined) return wrongIn(document, exchange, content ?? {});
  // Streams are not to be had by HEAD.
  const isNoRoute = described === null || (method === "HEAD" && status === 405);
  if (BEFORE_ROUTES.has(status) || (isNoRoute && NO_ROUTE.has(status))) {
    return wrongIn(document, exchange, problemContent(document));
  }
  return described === null ? "there is no such route" : `${described.path} has no status ${status}`;
}

function wrongIn(document: ApiDocument, { method, status, headers, text }: Exchange, content: Content): string | null {
  const type = headers.get("content-type")?.split(";", 1)[0] ?? null;
  const schema = type === null ? undefined : content[type]?.schema;
  if (schema === undefined && Object.keys(content).length > 0) return `the content type is ${type}`;
  if (schema === undefined) return text === "" || text === null ? null : "there is a body";
  if (text === null || method === "HEAD") return null;
  const validate = validatorOf(document, schema);
  for (const value of valuesIn(type ?? "", text)) {
    if (value === NOT_JSON) return "the body is not JSON";
    if (!validate(value)) return explain(validate);
  }
  return type === PROBLEM ? wrongProblem(JSON.parse(text), status, headers) : null;
}

/** What the schema does not say: the members of a refusal agree with each other and with the head. */
function wrongProblem(
  problem: Readonly<Record<"type" | "status" | "code" | "detail" | "request_id", unknown>>,
  status: number,
  headers: Headers,
): string | null {
  if (problem.status !== status) return `the problem's status is ${problem.status}`;
  if (problem.type !== `urn:elastic:problem:${problem.code}`) return `${problem.code} is of the type ${problem.type}`;
  if (problem.request_id !== headers.get("x-request-id")) return "the problem's request_id is not the header's";
  return problem.detail === "" ? "the problem has no detail" : null;
}

const NOT_JSON = Symbol();

/** What the schema is about: the body, or the data of each event. */
function valuesIn(type: string, text: string): readonly unknown[] {
  if (type.startsWith("text/plain") || type === "text/csv") return [text];
  if (type !== "text/event-stream") return [parse(text)];
  return [...text.matchAll(/^data: ?(.*)$/gm)].map(([, data = ""]) => parse(data));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return NOT_JSON;
  }
}

function problemContent({ components }: ApiDocument): Content {
  return { [PROBLEM]: { schema: components.schemas.Problem ?? {} } };
}

/** By the text of the schema: most are the same few. */
const compiled = new Map<string, ValidateFunction>();

function validatorOf(document: ApiDocument, schema: object): ValidateFunction {
  const text = JSON.stringify(schema);
  const known = compiled.get(text);
  if (known !== undefined) return known;
  const validate = ajvOf(document).compile(JSON.parse(text.replaceAll('"#/components/', `"${DOCUMENT}#/components/`)));
  compiled.set(text, validate);
  return validate;
}

/** The id by which schemas of responses refer to those of the document. */
const DOCUMENT = "openapi";

/** One for the document, which is one for a test process: each compiles what describes schemas, and what these refer to. */
let ajv: Ajv2020 | null = null;

function ajvOf({ components }: ApiDocument): Ajv2020 {
  if (ajv !== null) return ajv;
  ajv = new Ajv2020({ strict: false, allErrors: true, formats: { "date-time": DATE_TIME } });
  ajv.addSchema({ $id: DOCUMENT, components });
  return ajv;
}

function explain({ errors }: ValidateFunction): string {
  return (errors ?? []).map(({ instancePath, message }) => `${instancePath || "the body"} ${message}`).join("; ");
}
