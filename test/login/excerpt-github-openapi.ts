/**
 * Writes github-openapi.json: of GitHub's published OpenAPI description, what the stand-in answers. The description is the npm
 * package `@octokit/openapi`, which takes 385 MB when it is installed. To renew the excerpt, unpack it elsewhere and run:
 *
 *   node test/login/excerpt-github-openapi.ts <folder of the package>
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

interface Description {
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly responses: Readonly<Record<string, Responses>> } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, object>> };
}
interface Responses {
  readonly content: { readonly "application/json": { readonly schema: object } };
}

const PATHS = ["/user", "/user/orgs"];
/** Of every error. */
const ERROR = "basic-error";
const REFERENCE = /"\$ref":"#\/components\/schemas\/([^"]+)"/g;
const FOR_PEOPLE = new Set(["description", "title", "example", "examples"]);

const [folder = "."] = process.argv.slice(2);
const { version } = read<{ readonly version: string }>("package.json");
const description = read<Description>("generated/api.github.com.json");

const paths = Object.fromEntries(PATHS.map((path) => [path, schemaOf(path)]));
const schemas: Record<string, object> = {};
add(ERROR);
addReferences(paths);
const excerpt = { source: `@octokit/openapi ${version}`, paths, components: { schemas } };
writeFileSync(join(import.meta.dirname, "github-openapi.json"), `${JSON.stringify(excerpt, bare, 2)}\n`);

function read<T>(path: string): T {
  return JSON.parse(readFileSync(join(folder, path), "utf8"));
}

function schemaOf(path: string): object {
  const response = description.paths[path]?.get.responses["200"];
  if (response === undefined) throw new Error(`${path} is not described`);
  return response.content["application/json"].schema;
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
