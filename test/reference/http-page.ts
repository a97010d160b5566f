/** docs/reference/http.md: one row for each endpoint, from the OpenAPI document of a coordinator. */
import { roleFor } from "@elastic/coordinator/domain/role.ts";
import { permissionOfOperation } from "@elastic/coordinator/http/access/permission.ts";
import { code, markdownTable } from "./markdown-table.ts";

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly responses: Readonly<Record<string, unknown>>;
}

/** What this page reads of an OpenAPI document. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface Endpoint {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const HEAD = ["Method", "Path", "Summary", "Scope", "Role", "Parameters", "Statuses"];

export function httpPage(document: ApiDocument): string {
  const endpoints = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
  const byTag = Map.groupBy(endpoints, ({ operation }) => operation.tags[0] ?? "others");
  const sections = [...byTag].map(([tag, those]) => `## ${tag}\n\n${markdownTable(HEAD, those.map(row))}`);
  return `# HTTP endpoints

\`GET /v1/openapi.json\` of a coordinator describes bodies and records; this page lists the ${endpoints.length} endpoints.

- **Scope**: an access key, in \`x-api-key\` or as \`Authorization: Bearer <key>\`, needs one of the scopes. "any key": no scope in particular. "none": the endpoint takes no key.
  Sessions of the console have the rights of their user.
- **Role**: the least role in the team. No role is listed where every role may call it, or where no team is concerned.
- **Parameters**: those of the query; \`*\` marks one that is required, and a name in italics is a header.
- **Statuses**: the ones of success first. What the codes of the problem details mean: [errors](errors.md).

${sections.join("\n\n")}
`;
}

function row({ method, path, operation }: Endpoint): readonly string[] {
  const permission = permissionOfOperation(method, operation.operationId);
  return [
    method,
    code(path),
    operation.summary,
    scopesOf(operation),
    permission === null || permission === "read" ? "" : roleFor(permission),
    (operation.parameters ?? [])
      .filter((one) => one.in !== "path")
      .map(parameterText)
      .join(", "),
    Object.keys(operation.responses).sort().join(" "),
  ];
}

function scopesOf({ security = [{ accessKey: [] }] }: Operation): string {
  if (security.length === 0) return "none";
  const ways = security.flatMap((requirement) => {
    const [scheme] = Object.entries(requirement);
    if (scheme === undefined) return "none";
    // The same keys, sent otherwise.
    if (scheme[0] === "bearerAuth") return [];
    const [name, scopes] = scheme;
    if (name !== "accessKey") return code(name);
    return scopes.length === 0 ? "any key" : scopes.map(code).join(" and ");
  });
  return ways.join(" or ");
}

function parameterText({ name, in: place, required }: Parameter): string {
  const shown = place === "header" ? `*${name}*` : code(name);
  return required === true ? `${shown}\\*` : shown;
}
