/**
 * What GitLab documents of its API: members of the records that it sends and receives here, and their types. GitLab's OpenAPI
 * description is a file of four megabytes that requires hardly any member of a response, so these lists are made from the pages of
 * the reference (https://docs.gitlab.com/api/: project access tokens, webhooks, commits, branches) and from the entities that the
 * description is generated from (projects, tags, commit statuses), of several versions. They are no excerpt, and name less than
 * GitLab sends. A member with `?` may be null or absent.
 */

const COMMIT =
  "id:string short_id:string created_at:string parent_ids:object title:string message:string author_name:string " +
  "author_email:string authored_date:string committer_name:string committer_email:string committed_date:string " +
  "trailers?:object extended_trailers?:object web_url?:string";
const COMMIT_DETAIL = `${COMMIT} stats?:object status?:string project_id?:number last_pipeline?:object`;
const PROJECT =
  "id:number description?:string name:string name_with_namespace:string path:string path_with_namespace:string " +
  "created_at:string default_branch?:string web_url:string last_activity_at:string visibility:string empty_repo:boolean " +
  "archived:boolean forked_from_project?:object";
const TOKEN =
  "id:number name:string revoked:boolean created_at:string description?:string scopes:object user_id:number " +
  "last_used_at?:string active:boolean expires_at:string access_level:number token:string";
const HOOK =
  "id:number url:string name?:string description?:string project_id:number push_events:boolean tag_push_events:boolean " +
  "merge_requests_events:boolean enable_ssl_verification:boolean created_at:string alert_status?:string";
const NEW_HOOK =
  "url:string token?:string name?:string description?:string push_events?:boolean tag_push_events?:boolean " +
  "merge_requests_events?:boolean enable_ssl_verification?:boolean push_events_branch_filter?:string";

interface Operation {
  readonly status: number;
  readonly request?: string;
  /** Of each record where it is a list; none where there is no body. */
  readonly response?: string;
}

export const OPERATIONS = {
  "GET /user": { status: 200, response: "id:number username:string name:string state:string web_url:string" },
  "GET /projects": { status: 200, response: PROJECT },
  "POST /projects": {
    status: 201,
    request: "name?:string path?:string description?:string visibility?:string namespace_id?:number",
    response: PROJECT,
  },
  "GET /projects/{id}": { status: 200, response: PROJECT },
  "GET /projects/{id}/hooks": { status: 200, response: HOOK },
  "POST /projects/{id}/hooks": { status: 201, request: NEW_HOOK, response: HOOK },
  "PUT /projects/{id}/hooks/{hook_id}": { status: 200, request: NEW_HOOK, response: HOOK },
  "POST /projects/{id}/access_tokens": {
    status: 201,
    request: "name:string description?:string scopes:object access_level?:number expires_at:string",
    response: TOKEN,
  },
  "POST /projects/{id}/access_tokens/self/rotate": { status: 200, request: "expires_at?:string", response: TOKEN },
  "DELETE /personal_access_tokens/self": { status: 204 },
  "GET /projects/{id}/repository/branches/{branch}": {
    status: 200,
    response: "name:string merged:boolean protected:boolean default:boolean web_url:string commit:object",
  },
  "GET /projects/{id}/repository/tags/{tag_name}": {
    status: 200,
    response: "name:string message?:string target:string commit:object release?:object protected:boolean",
  },
  "GET /projects/{id}/repository/commits/{sha}": { status: 200, response: COMMIT_DETAIL },
  "GET /projects/{id}/repository/merge_base": { status: 200, response: COMMIT },
  "GET /projects/{id}/repository/archive.tar.gz": { status: 200 },
  "POST /projects/{id}/repository/commits": {
    status: 201,
    request:
      "branch:string commit_message:string actions:object start_branch?:string author_email?:string author_name?:string",
    response: COMMIT_DETAIL,
  },
  "POST /projects/{id}/statuses/{sha}": {
    status: 201,
    request:
      "state:string ref?:string name?:string context?:string target_url?:string description?:string coverage?:number",
    response:
      "id:number sha:string ref:string status:string name:string target_url?:string description?:string created_at:string " +
      "started_at?:string finished_at?:string allow_failure:boolean coverage?:number pipeline_id:number author:object",
  },
} as const satisfies Readonly<Record<string, Operation>>;

export type OperationName = keyof typeof OPERATIONS;

const PUSH =
  "object_kind:string event_name:string before:string after:string ref:string ref_protected:boolean checkout_sha?:string " +
  "message?:string user_id:number user_name:string user_username:string user_email?:string user_avatar?:string " +
  "project_id:number project:object commits:object total_commits_count:number push_options:object repository:object";

/** Throws where the client's body is not one that GitLab documents. */
export function checkRequest(name: OperationName, body: object): void {
  const { request = "" }: Operation = OPERATIONS[name];
  checkMembers(request, body, `the request ${name}`);
}

/** The record with every member that GitLab sends. Throws where it would not send what is given. */
export function describedResponse(name: OperationName, given: object): object {
  const { response = "" }: Operation = OPERATIONS[name];
  return Array.isArray(given) ? given.map((one) => filled(response, one, name)) : filled(response, given, name);
}

export function describedCommit(given: object): object {
  return filled(COMMIT, given, "a commit");
}

export function describedPush(given: object): object {
  return filled(PUSH, given, "a push");
}

const LEAST: Readonly<Record<string, unknown>> = { number: 0, boolean: false, object: {} };

function filled(list: string, given: object, what: string): object {
  // GitLab leaves out what the caller may not see, or has not.
  const missing = membersOf(list).filter(({ name, isOptional }) => !isOptional && !(name in given));
  const least = missing.map(({ name, type }) => [name, LEAST[type] ?? ""]);
  const record = { ...Object.fromEntries(least), ...given };
  checkMembers(list, record, what);
  return record;
}

function checkMembers(list: string, record: object, what: string): void {
  const members = new Map(membersOf(list).map((member) => [member.name, member]));
  for (const [name, value] of Object.entries(record)) {
    const member = members.get(name);
    const isFit = member !== undefined && (value === null ? member.isOptional : typeof value === member.type);
    if (!isFit) throw new Error(`GitLab documents ${what} otherwise: ${name} is ${JSON.stringify(value)}`);
  }
  for (const { name, isOptional } of members.values()) {
    if (!isOptional && !(name in record)) throw new Error(`GitLab documents ${what} otherwise: ${name} is missing`);
  }
}

function membersOf(list: string) {
  return list.split(" ").flatMap((text) => {
    const [, name, optional, type] = /^(\w+)(\??):(\w+)$/.exec(text) ?? [];
    return name === undefined || type === undefined ? [] : [{ name, type, isOptional: optional === "?" }];
  });
}
