/** The events of a response, as they come. */
import { ConnectionError } from "../errors/connection-error.ts";
import { EventParser, type ServerEvent } from "./parse-events.ts";

/**
 * Ends with the response. Throws what cuts the connection, and where it is silent for longer than `silenceMsMax`: nothing
 * else shows that the other side is gone.
 */
export async function* readEvents(
  body: ReadableStream<Uint8Array>,
  silenceMsMax: number = Number.POSITIVE_INFINITY,
): AsyncGenerator<ServerEvent> {
  const reader = body.getReader();
  const parser = new EventParser();
  const decoder = new TextDecoder();
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read(), silenceMsMax);
      if (done) return;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
  } finally {
    // Of a connection that is cut already this fails.
    await reader.cancel().catch(() => undefined);
  }
}

async function withinSilence<T>(read: Promise<T>, silenceMsMax: number): Promise<T> {
  if (silenceMsMax === Number.POSITIVE_INFINITY) return await read;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    const message = `The stream of events was silent for ${silenceMsMax / 1000} s.`;
    timer = setTimeout(() => reject(new ConnectionError("timeout", message)), silenceMsMax);
  });
  try {
    return await Promise.race([read, silent]);
  } finally {
    clearTimeout(timer);
  }
}
