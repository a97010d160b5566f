/** What a success promises beyond its response: what was created can be read, and what was deleted is gone. */
import { WebSocket } from "ws";
import { terminalTicketText } from "../../auth/id-secret-text.ts";
import { type Described, describedAt, documentOf } from "./api-document.ts";
import { type CallResponse, call } from "./call.ts";
import { fill, type TenantThings } from "./tenant-things.ts";

export interface Success {
  readonly url: string;
  readonly key: string;
  readonly described: Described;
  /** Path of the request. */
  readonly path: string;
  readonly things: TenantThings;
  readonly response: CallResponse;
}

export async function expectEffects(success: Success): Promise<void> {
  const { described, response } = success;
  if (response.status === 201) await expectReadable(success);
  if (described.method === "DELETE" && response.status === 204) await expectGone(success);
}

/** Where to find what has no URL, by operation. */
const READ_ELSEWHERE: Readonly<Record<string, (success: Success) => Promise<boolean>>> = {
  createInvitation: async ({ url, key, path, response: { json } }) =>
    (await call(`${url}${path}?size=100`, { key })).text.includes(json.invitation_id),
  addAuthorizedKey: async ({ url, key, path, response: { json } }) =>
    (await call(`${url}${path}?size=100`, { key })).text.includes(json.key_id),
  createJoinToken: async ({ url, key, path, response: { text } }) =>
    (await call(`${url}${path}?size=100`, { key })).text.includes(JSON.parse(text).join_token_id),
  createPoolToken: async ({ url, key, path, response: { text } }) =>
    (await call(`${url}${path}?size=100`, { key })).text.includes(JSON.parse(text).pool_token_id),
  createSession: async ({ url, key, path, response: { text } }) =>
    (await call(`${url}${path}?size=100`, { key })).text.includes(JSON.parse(text).session_id),
  createSourceRepository: async ({ url, key, path, response: { json } }) =>
    (await call(`${url}${path}?size=100`, { key })).text.includes(`"${json.repository_id}"`),
  createTerminalTicket: async ({ url, key, path, response: { text } }) => {
    const { ticket } = JSON.parse(text);
    const terminal = new WebSocket(`${url}${path.replace(/-tickets$/, "")}?ticket=${ticket}`, {
      headers: { "x-api-key": key },
    });
    return await new Promise((resolve) => {
      terminal.once("open", () => resolve(true)).once("error", () => resolve(false));
      terminal.once("open", () => terminal.terminate());
    });
  },
  // What opens is at the gateway.
  createSshTicket: async ({ response: { text } }) => terminalTicketText.parse(JSON.parse(text).ticket) !== null,
  createOperatedUser: async ({ url, key, response: { json } }) =>
    (await call(`${url}/v1/operators/users?size=100&name=${encodeURIComponent(json.name)}`, { key })).text.includes(
      json.user_id,
    ),
  createLoginLink: async ({ url, response: { text } }) => {
    const body = JSON.stringify({ login_token: JSON.parse(text).login_url.split("#token=")[1] });
    return (await call(`${url}/v1/sessions`, { body, headers: { origin: url } })).status === 201;
  },
  createUpload: async ({ url, key, things, response: { text } }) => {
    const body = JSON.stringify({ input_upload_id: JSON.parse(text).upload_id });
    return (await call(url + fill({ path: "/v1/services/{id}" }, things), { key, body })).status === 201;
  },
};

async function expectReadable(success: Success): Promise<void> {
  const { url, key, response, described } = success;
  const { operationId } = described.operation;
  const location = response.headers.get("location");
  if (location !== null) {
    const { status } = await call(url + new URL(location).pathname, { key });
    if (status !== 200) throw new Error(`${operationId} created ${location}, which responds with ${status}`);
    return;
  }
  const isRead = READ_ELSEWHERE[operationId];
  if (isRead === undefined)
    throw new Error(`${operationId} creates without location: say in effects.ts where it is read`);
  if (!(await isRead(success))) throw new Error(`${operationId} created what cannot be read`);
}

/** Not found any more, an empty list, or a record that says so; where nothing reads it, deleting it again finds nothing. */
async function expectGone({ url, key, described, path }: Success): Promise<void> {
  const document = await documentOf(url);
  const [bare = path] = path.split("?");
  const isRead = describedAt(document, "GET", bare) !== null;
  const again = await call(url + (isRead ? bare : path), { key, method: isRead ? "GET" : "DELETE" });
  if (again.status === 404) return;
  // Of the caller, whose key ended too.
  if (described.operation.operationId === "deleteMe" && again.status === 401) return;
  const says = again.json as unknown as { readonly state?: string; readonly revoked?: string | null };
  if (isRead && again.status === 200 && again.json.items?.length === 0) return;
  if (isRead && again.status === 200 && (says.state?.toLowerCase() === "deleted" || typeof says.revoked === "string"))
    return;
  throw new Error(`${described.operation.operationId} left ${path}, which responds with ${again.status} ${again.text}`);
}
