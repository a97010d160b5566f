/** The id of a login account, by which one of an issuer is found and can be only one user's. */
import { hash } from "node:crypto";
import type { Identity } from "../domain/account.ts";

const ID_LENGTH = 32;

export function accountId({ issuer, subject }: Pick<Identity, "issuer" | "subject">): string {
  return hash("sha256", JSON.stringify([issuer, subject]), "hex").slice(0, ID_LENGTH);
}
