/** The container engine's own HTTP interface, as Docker defines it and Podman follows it. */
import type { Readable } from "node:stream";
import type { Dispatcher } from "undici";
import { CliError } from "../errors/cli-error.ts";

export interface EngineCall {
  readonly method: "GET" | "POST" | "DELETE";
  /** With its query, such as `/images/x/json`. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readable | string;
  readonly signal: AbortSignal;
}

export class Engine {
  readonly base: string;
  readonly dispatcher: Dispatcher;

  constructor(base: string, dispatcher: Dispatcher) {
    this.base = base;
    this.dispatcher = dispatcher;
  }

  /** The parsed body of a response, or null for 404. */
  async json<T>(call: EngineCall): Promise<T | null> {
    const { statusCode, body } = await this.#send(call);
    const text = await body.text();
    if (statusCode === 404) return null;
    if (statusCode >= 300) throw refused(statusCode, text);
    return (text === "" ? {} : JSON.parse(text)) as T;
  }

  /** What the engine reports while it works, one JSON object after the other. */
  async *events<T>(call: EngineCall): AsyncGenerator<T> {
    const { statusCode, body } = await this.#send(call);
    if (statusCode >= 300) throw refused(statusCode, await body.text());
    let rest = "";
    for await (const chunk of body.setEncoding("utf8")) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.trim() !== "") yield JSON.parse(line) as T;
    }
    if (rest.trim() !== "") yield JSON.parse(rest) as T;
  }

  async close(): Promise<void> {
    await this.dispatcher.close();
  }

  async #send({ method, path, headers, body, signal }: EngineCall): Promise<Dispatcher.ResponseData> {
    try {
      const origin = this.base;
      return await this.dispatcher.request({
        origin,
        path,
        method,
        headers: headers ?? {},
        body: body ?? null,
        signal,
      });
    } catch (cause) {
      if (signal.aborted) throw cause;
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new CliError(`The container engine went away: ${why}.`, {
        code: "engine_lost",
        next: "See whether it runs (`docker info`), and run the command again.",
        cause,
      });
    }
  }
}

/** The engine's errors are `{"message": "…"}`. */
function refused(status: number, text: string): CliError {
  let message = text;
  try {
    message = (JSON.parse(text) as { readonly message: string }).message;
  } catch {
    // Reported as it is.
  }
  return new CliError(`The container engine refused (${status}): ${message.trim()}`, { code: "engine_refused" });
}
