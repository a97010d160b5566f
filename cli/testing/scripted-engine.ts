/** A container engine that a test scripts, on a Unix socket. */
import { createServer, type ServerResponse } from "node:http";
import { join } from "node:path";

interface SeenCall {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  /** What it was shown for a registry. */
  readonly auth: Readonly<Record<string, string>> | null;
}

/** Events that an engine streams; `cut` ends the connection amid them. */
type Events = readonly (object | "cut")[];

export interface EngineScript {
  /** Of each image that it has, by name. */
  readonly images: Readonly<Record<string, { readonly Os: string; readonly Architecture: string }>>;
  /** One list for each push, in order; the last one for all after it. */
  readonly pushes: readonly Events[];
}

export interface ScriptedEngine {
  readonly host: string;
  readonly seen: readonly SeenCall[];
  stop(): Promise<void>;
}

export async function startScriptedEngine(folder: string, script: EngineScript): Promise<ScriptedEngine> {
  const socketPath = join(folder, "engine.sock");
  const seen: SeenCall[] = [];
  let pushes = 0;
  const server = createServer((request, response) => {
    const { method = "", url: path = "", headers } = request;
    const shown = headers["x-registry-auth"];
    const auth = typeof shown === "string" ? readAuth(shown) : null;
    if (path === "/_ping") return response.end("OK");
    seen.push({ method, path, auth });
    const inspected = /^\/images\/(.*)\/json$/.exec(path)?.[1];
    if (inspected !== undefined) return respond(response, script.images[decodeURIComponent(inspected)]);
    if (/\/tag\?/.test(path)) return response.writeHead(201).end();
    if (/\/push\?/.test(path))
      return stream(response, script.pushes[Math.min(pushes++, script.pushes.length - 1)] ?? []);
    return respond(response, undefined);
  });
  await new Promise<void>((resolve) => server.listen(socketPath, resolve));
  return {
    host: `unix://${socketPath}`,
    seen,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** As engines do: what is not padded is not read. */
function readAuth(text: string): SeenCall["auth"] {
  return text.length % 4 === 0 ? JSON.parse(Buffer.from(text, "base64url").toString("utf8")) : {};
}

function respond(response: ServerResponse, body: object | undefined): void {
  response.writeHead(body === undefined ? 404 : 200, { "content-type": "application/json" });
  response.end(JSON.stringify(body ?? { message: "no such image" }));
}

function stream(response: ServerResponse, events: Events): void {
  response.writeHead(200, { "content-type": "application/json" });
  for (const event of events) {
    if (event === "cut") return void setImmediate(() => response.destroy());
    response.write(`${JSON.stringify(event)}\r\n`);
  }
  response.end();
}
