/** A new access key: its record, and its text, which is shown once. */
import { type AccessKey, type NewAccessKey, newAccessKey } from "../domain/access-key.ts";
import { hashSecret } from "./key-secret.ts";
import { formatKeyText, newKeyText } from "./key-text.ts";

export interface MadeKey {
  readonly record: AccessKey;
  readonly text: string;
}

export function makeKey(of: Omit<NewAccessKey, "id" | "secretSha256">): MadeKey {
  const text = newKeyText();
  const record = newAccessKey({ ...of, id: text.id, secretSha256: hashSecret(text.secret) });
  return { record, text: formatKeyText(text) };
}
