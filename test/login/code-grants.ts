/** The codes that a stand-in has given out: each is redeemed once, by whoever has the verifier of its challenge (RFC 7636). */
import { createHash, randomBytes } from "node:crypto";

export const CLIENT = { id: "elastic-client", secret: "elastic-secret" };

interface Grant<T> {
  readonly of: T;
  readonly redirectUri: string;
  /** Null for a code that the client did not request. */
  readonly challenge: string | null;
}

export class CodeGrants<T> {
  readonly #client: Pick<typeof CLIENT, "id">;
  readonly #grants = new Map<string, Grant<T>>();

  constructor(client: Pick<typeof CLIENT, "id"> = CLIENT) {
    this.#client = client;
  }

  /** The address to which the browser returns with a code. Throws where the request is not as it must be. */
  grant(query: URLSearchParams, of: T): URL {
    const parameter = (name: string): string => {
      const value = query.get(name) ?? "";
      if (value === "") throw new Error(`${name} is missing`);
      return value;
    };
    if (parameter("client_id") !== this.#client.id || parameter("response_type") !== "code")
      throw new Error("the client is unknown");
    if (parameter("code_challenge_method") !== "S256") throw new Error("the challenge is no hash");
    return this.#returning(of, parameter("redirect_uri"), parameter("state"), parameter("code_challenge"));
  }

  /** The same where the host itself has the user authorize the client, without a challenge. */
  grantUnrequested(redirectUri: string, state: string, of: T): URL {
    return this.#returning(of, redirectUri, state, null);
  }

  #returning(of: T, redirectUri: string, state: string, challenge: string | null): URL {
    const code = randomBytes(16).toString("hex");
    this.#grants.set(code, { of, redirectUri, challenge });
    const back = new URL(redirectUri);
    back.searchParams.set("code", code);
    back.searchParams.set("state", state);
    return back;
  }

  /** Null where the code is redeemed already, or this form may not redeem it. */
  redeem(form: URLSearchParams): T | null {
    const code = form.get("code") ?? "";
    const grant = this.#grants.get(code);
    this.#grants.delete(code);
    if (grant === undefined || form.get("redirect_uri") !== grant.redirectUri) return null;
    const verifier = form.get("code_verifier");
    if (grant.challenge === null) return verifier === null ? grant.of : null;
    const hashed = createHash("sha256")
      .update(verifier ?? "")
      .digest("base64url");
    return hashed === grant.challenge ? grant.of : null;
  }
}
