/** There was no complete response: `cause` has what the connection ended with. */
import { ElasticError } from "./elastic-error.ts";

export class ConnectionError extends ElasticError {
  override readonly name = "ConnectionError";
  readonly kind: "unreachable" | "timeout";

  constructor(kind: ConnectionError["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.kind = kind;
  }
}
