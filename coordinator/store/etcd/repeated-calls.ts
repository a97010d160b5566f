/** Calls that do no harm twice: one that failed by its connection or its member is sent again, to the next member. */
import { type MethodDefinition, status } from "@grpc/grpc-js";
import { ExponentialBackoff, handleWhen, retry } from "cockatiel";
import { GrpcStatusError, LoginError, type UnaryChannel } from "./unary-channel.ts";

const PASSING: readonly number[] = [
  status.UNAVAILABLE,
  status.DEADLINE_EXCEEDED,
  status.CANCELLED,
  status.INTERNAL,
  status.UNKNOWN,
];

const policy = retry(handleWhen(mayPass), {
  maxAttempts: 3,
  backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 200 }),
});

export class RepeatedCalls {
  readonly #channel: UnaryChannel;

  constructor(channel: UnaryChannel) {
    this.#channel = channel;
  }

  /** Rejects as the last try did. */
  call<Request, Response>(method: MethodDefinition<Request, Response>, request: Request): Promise<Response> {
    return policy.execute(() => this.#channel.call(method, request));
  }

  /** The same as nobody. */
  callWithoutToken<Request, Response>(
    method: MethodDefinition<Request, Response>,
    request: Request,
  ): Promise<Response> {
    return policy.execute(() => this.#channel.callWithoutToken(method, request));
  }
}

function mayPass(error: Error): boolean {
  // A login was repeated itself.
  if (error instanceof LoginError) return false;
  return !(error instanceof GrpcStatusError) || PASSING.includes(error.code);
}
