/** The codes that a stand-in has given out: each is redeemed once, by whoever has the verifier of its challenge (RFC 7636). */
import { createHash, randomBytes } from "node:crypto";

export const CLIENT = { id: "elastic-client", secret: "elastic-secret" };

interface Grant<T> {
  readonly of: T;
  readonly redirectUri: string;
  readonly challenge: string;
}

export class CodeGrants<T> {
  readonly #grants = new Map<string, Grant<T>>();

  /** The address to which the browser returns with a code. Throws where the request is not as it must be. */
  grant(query: URLSearchParams, of: T): URL {
    const ask = (name: string): string => {
      const value = query.get(name) ?? "";
      if (value === "") throw new Error(`${name} is missing`);
      return value;
    };
    if (ask("client_id") !== CLIENT.id || ask("response_type") !== "code") throw new Error("the client is unknown");
    if (ask("code_challenge_method") !== "S256") throw new Error("the challenge is no hash");
    const code = randomBytes(16).toString("hex");
    this.#grants.set(code, { of, redirectUri: ask("redirect_uri"), challenge: ask("code_challenge") });
    const back = new URL(ask("redirect_uri"));
    back.searchParams.set("code", code);
    back.searchParams.set("state", ask("state"));
    return back;
  }

  /** Null where the code is redeemed already, or this form may not redeem it. */
  redeem(form: URLSearchParams): T | null {
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    if (grant === undefined || form.get("redirect_uri") !== grant.redirectUri) return null;
    const hashed = createHash("sha256")
      .update(form.get("code_verifier") ?? "")
      .digest("base64url");
    return hashed === grant.challenge ? grant.of : null;
  }
}
