/**
 * Writes github-openapi.json: of GitHub's published OpenAPI description, what the stand-in receives, returns and sends. The
 * description is the npm package `@octokit/openapi`, which takes 385 MB when it is installed. To renew the excerpt, unpack it
 * elsewhere and run:
 *
 *   node test/login/excerpt-github-openapi.ts <folder of the package>
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Described {
  readonly requestBody?: Content;
  readonly responses: Readonly<Record<string, Partial<Content>>>;
}
interface Content {
  readonly content: { readonly "application/json": { readonly schema: object } };
}
interface Description {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly "x-webhooks": Readonly<Record<string, { readonly post: { readonly requestBody: Content } }>>;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}

/** With the status of success. */
const OPERATIONS: Readonly<Record<string, number>> = {
  "GET /user": 200,
  "GET /user/orgs": 200,
  "GET /user/installations/{installation_id}/repositories": 200,
  "GET /app/installations/{installation_id}": 200,
  "POST /app/installations/{installation_id}/access_tokens": 201,
  "GET /installation/repositories": 200,
  "GET /repos/{owner}/{repo}/commits/{ref}": 200,
  "GET /repos/{owner}/{repo}/compare/{basehead}": 200,
  "GET /repos/{owner}/{repo}/tarball/{ref}": 302,
  "POST /repos/{owner}/{repo}/statuses/{sha}": 201,
  "POST /repos/{template_owner}/{template_repo}/generate": 201,
  "POST /user/repos": 201,
  "POST /orgs/{org}/repos": 201,
  "POST /repos/{owner}/{repo}/git/blobs": 201,
  "POST /repos/{owner}/{repo}/git/trees": 201,
  "POST /repos/{owner}/{repo}/git/commits": 201,
  "GET /repos/{owner}/{repo}/git/ref/{ref}": 200,
  "PATCH /repos/{owner}/{repo}/git/refs/{ref}": 200,
};
const EVENTS = [
  "push",
  "installation-deleted",
  "installation-suspend",
  "installation-unsuspend",
  "installation-repositories-removed",
];
/** Of every error. */
const ERROR = "basic-error";
const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;
const FOR_PEOPLE = new Set(["description", "title", "example", "examples"]);

const [folder = "."] = process.argv.slice(2);
const { version } = read<{ readonly version: string }>("package.json");
const description = read<Description>("generated/api.github.com.json");

const operations = Object.fromEntries(
  Object.entries(OPERATIONS).map(([name, status]) => [name, described(name, status)]),
);
const events = Object.fromEntries(EVENTS.map((name) => [name, payloadOf(name)]));
const schemas: Record<string, object> = {};
add(ERROR);
addReferences(operations);
addReferences(events);
const excerpt = { source: `@octokit/openapi ${version}`, operations, events, components: { schemas } };
writeFileSync(join(import.meta.dirname, "github-openapi.json"), `${JSON.stringify(excerpt, bare, 2)}\n`);

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8"));
}

/** Null stands for no body. */
function described(name: string, status: number): object {
  const [method = "", path = ""] = name.split(" ");
  const operation = description.paths[path]?.[method.toLowerCase()];
  const response = operation?.responses[String(status)];
  if (response === undefined) throw new Error(`${name} is not described`);
  const request = operation?.requestBody?.content["application/json"].schema ?? null;
  return { status, request, response: response.content?.["application/json"].schema ?? null };
}

function payloadOf(event: string): object {
  const webhook = description["x-webhooks"][event];
  if (webhook === undefined) throw new Error(`the event ${event} is not described`);
  return webhook.post.requestBody.content["application/json"].schema;
}

function add(name: string): void {
  const schema = description.components.schemas[name];
  if (schema === undefined || name in schemas) return;
  schemas[name] = schema;
  addReferences(schema);
}

function addReferences(schema: object): void {
  for (const [, name = ""] of JSON.stringify(schema).matchAll(REFERENCE)) add(name);
}

/** Leaves out what is there for people; a property may have such a name too. */
function bare(key: string, value: unknown): unknown {
  return FOR_PEOPLE.has(key) && (typeof value === "string" || Array.isArray(value) || key === "examples")
    ? undefined
    : value;
}
