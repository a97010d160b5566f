/** The registry that this service issues tokens for, when it has one. */
import type { Clock } from "@elastic/std/clock.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type IssueToken, tokenIssuer } from "./access-token.ts";
import { registryAuthorities } from "./authority.ts";
import { parseImageReference } from "./image-reference.ts";

export interface RegistryAddress {
  /** `host[:port]`, as it begins an image's name. */
  readonly host: string;
  /** With scheme. */
  readonly base: string;
}

export interface OwnRegistry extends RegistryAddress {
  /** What it calls itself in its challenges, and what its tokens are for. */
  readonly service: string;
  readonly issueToken: IssueToken;
  /** The repository of an image that is in it; null for any other image. */
  repositoryOf(image: string): string | null;
}

export interface OwnRegistrySettings {
  readonly address: RegistryAddress;
  readonly service: string;
  readonly issuer: string;
}

export function openOwnRegistry(
  { address, service, issuer }: OwnRegistrySettings,
  secrets: Pick<Secrets, "derive" | "keyIds">,
  clock: Clock,
): OwnRegistry {
  let issuing: { readonly keyId: string; readonly issueToken: IssueToken } | null = null;
  // By the key that seals at present.
  const issueToken: IssueToken = (subject, access) => {
    const [keyId = ""] = secrets.keyIds();
    if (issuing?.keyId !== keyId) {
      const [authority] = registryAuthorities(secrets);
      if (authority === undefined) throw new Error("there is no master key to sign the registry's tokens with");
      issuing = { keyId, issueToken: tokenIssuer({ authority, issuer, service, clock }) };
    }
    return issuing.issueToken(subject, access);
  };
  return {
    ...address,
    service,
    issueToken,
    repositoryOf(image) {
      const reference = parseImageReference(image);
      return "wrong" in reference || reference.registry !== address.host ? null : reference.repository;
    },
  };
}
