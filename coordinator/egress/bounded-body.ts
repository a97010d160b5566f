/** The body of a response, cut off where it grows too large. What was sent compressed is not opened but refused. */
import type { Dispatcher } from "undici";
import { EgressError } from "./egress-error.ts";

export interface BodyEnds {
  /** What to throw for an error of the connection. */
  readonly translate: (error: unknown) => unknown;
  readonly close: () => void;
}

export async function* boundedBody(
  { headers, body }: Pick<Dispatcher.ResponseData, "headers" | "body">,
  bytesMax: number,
  { translate, close }: BodyEnds,
): AsyncGenerator<Buffer> {
  try {
    if ((headers["content-encoding"] ?? "identity") !== "identity") throw new EgressError("encoded");
    if (Number(headers["content-length"] ?? 0) > bytesMax) throw new EgressError("too_large");
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > bytesMax) throw new EgressError("too_large");
      yield chunk;
    }
  } catch (error) {
    throw translate(error);
  } finally {
    close();
  }
}
