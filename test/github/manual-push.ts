/** A push to a repository of the stand-in by one request, for people: commits, and sends the signed event. */
import { Ajv2020, type JSONSchemaType } from "ajv/dist/2020.js";
import { type Handler, sendJson } from "../login/http-host.ts";
import type { GithubApp } from "./github-app.ts";

interface ManualPush {
  /** As `owner/name`. */
  readonly repository: string;
  readonly branch: string;
  /** Texts by path, next to those that the branch has. */
  readonly files: Readonly<Record<string, string>>;
  readonly message: string;
}

const SCHEMA: JSONSchemaType<ManualPush> = {
  type: "object",
  required: ["repository", "files"],
  additionalProperties: false,
  properties: {
    repository: { type: "string", pattern: "^[^/]+/[^/]+$" },
    branch: { type: "string", minLength: 1, default: "main" },
    files: { type: "object", required: [], additionalProperties: { type: "string" } },
    message: { type: "string", minLength: 1, default: "Change" },
  },
};

const ajv = new Ajv2020({ useDefaults: true });
const isPush = ajv.compile(SCHEMA);

/** Responds with the commit, and the status with which the webhook took the event: null where none was sent, and why. */
export function manualPush(app: GithubApp): Handler {
  return async ({ method, body }, response) => {
    if (method !== "POST") return sendJson(response, 405, { error: "Send it as POST." });
    const push = parse(body);
    if (!isPush(push)) return sendJson(response, 422, { error: ajv.errorsText(isPush.errors, { dataVar: "body" }) });
    const [owner = "", name = ""] = push.repository.split("/");
    const repository = app.find(owner, name);
    if (repository === null) return sendJson(response, 404, { error: `There is no repository ${push.repository}.` });
    const files = new Map(repository.find(`heads/${push.branch}`)?.files);
    for (const [path, text] of Object.entries(push.files)) {
      files.set(path, { content: Buffer.from(text), isExecutable: false });
    }
    try {
      const pushed = await app.push(repository, push.branch, files, push.message);
      const why = pushed.payload === null ? "the app is not installed there" : "the app has no webhook: PUT /_app";
      const sent =
        pushed.response === null ? { webhook_status: null, why } : { webhook_status: pushed.response.status };
      sendJson(response, 200, { commit: pushed.commit.sha, ...sent });
    } catch (cause) {
      sendJson(response, 502, { error: `${app.webhookUrl} cannot be reached: ${String(cause)}` });
    }
  };
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
