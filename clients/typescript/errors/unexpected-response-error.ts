/** What responded is not the service, or sends more than the service does. */
import { ElasticError } from "./elastic-error.ts";

export class UnexpectedResponseError extends ElasticError {
  override readonly name = "UnexpectedResponseError";
  readonly kind: "not_the_service" | "too_large";

  constructor(kind: UnexpectedResponseError["kind"], message: string) {
    super(message);
    this.kind = kind;
  }
}
