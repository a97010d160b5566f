/** A proxy between a client and the service that loses what a test has it lose. */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** What becomes of one request: `status` responds in place of the service. */
type Fate =
  | "pass"
  /** The service acts on it, and the client never learns of that. */
  | "lose the response"
  /** The connection is cut once some of this text has come. */
  | { readonly cutAt: string }
  | { readonly status: number; readonly headers: Readonly<Record<string, string>> };

export interface BrokenLine extends AsyncDisposable {
  readonly url: string;
  /** `<method> <path>` of each request. */
  readonly requests: readonly string[];
  /** For the next requests; those after them pass. */
  next(...fates: readonly Fate[]): void;
  /** Another coordinator responds from now on. */
  leadTo(serviceUrl: string): void;
  /** Cuts every connection. */
  cut(): void;
}

export async function startBrokenLine(serviceUrl: string): Promise<BrokenLine> {
  const requests: string[] = [];
  const fates: Fate[] = [];
  let to = serviceUrl;
  const server = createServer((incoming, outgoing) => {
    requests.push(`${incoming.method} ${incoming.url}`);
    const fate = fates.shift() ?? "pass";
    if (typeof fate === "object" && "status" in fate) outgoing.writeHead(fate.status, fate.headers).end();
    else forward(new URL(incoming.url ?? "", to), fate, incoming, outgoing);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    next: (...given) => void fates.push(...given),
    leadTo: (other) => {
      to = other;
    },
    cut: () => server.closeAllConnections(),
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function forward(
  to: URL,
  fate: Exclude<Fate, { readonly status: number }>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): void {
  const { method, headers } = incoming;
  const sent = request(to, { method, headers: { ...headers, host: to.host }, agent: false }, (response) => {
    if (fate === "lose the response") {
      response.resume().once("end", () => outgoing.destroy());
      return;
    }
    outgoing.writeHead(response.statusCode ?? 502, response.headers);
    let text = "";
    response.on("data", (chunk) => {
      text += chunk;
      const isCut = fate !== "pass" && text.includes(fate.cutAt);
      // The client still receives this much.
      outgoing.write(chunk, () => isCut && outgoing.destroy());
      if (isCut) response.destroy();
    });
    response.once("end", () => outgoing.end());
  });
  sent.on("error", () => outgoing.destroy());
  outgoing.once("close", () => sent.destroy());
  incoming.pipe(sent);
}
