/**
 * The access key that a request shows: in `x-api-key`, or as a bearer token (RFC 6750), as most clients of other services send
 * theirs. A bearer token that is no key is somebody else's, such as that of a proxy before this service, and shows nothing.
 */
import type { IncomingHttpHeaders } from "node:http";

const BEARER_KEY = /^Bearer +(eps_\S*)$/i;

/** Undefined for none. Where both are there, they are the same, or the request is refused. */
export function presentedKey(headers: IncomingHttpHeaders): string | undefined {
  const own = headers["x-api-key"];
  return typeof own === "string" ? own : bearerKey(headers);
}

/**
 * Whether a request shows two keys that differ. Whose it is cannot be known then: a proxy or a library may have added one of them,
 * and what acts with the other one would act as somebody else.
 */
export function presentsTwoKeys(headers: IncomingHttpHeaders): boolean {
  const own = headers["x-api-key"];
  const bearer = bearerKey(headers);
  return typeof own === "string" && own !== "" && bearer !== undefined && bearer !== own;
}

function bearerKey({ authorization }: IncomingHttpHeaders): string | undefined {
  return BEARER_KEY.exec(authorization ?? "")?.[1];
}
