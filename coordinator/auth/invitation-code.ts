/** The code of an invitation, `epi_<id>_<secret><crc>`, made and checked as the text of a key is. */
import { checksum, randomText, SECRET_LENGTH } from "./secret-text.ts";

const PATTERN = /^epi_([0-9a-f]{32})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export interface InvitationCode {
  readonly id: string;
  readonly secret: string;
}

export function newInvitationCode(id: string): InvitationCode {
  return { id, secret: randomText(SECRET_LENGTH) };
}

export function formatInvitationCode({ id, secret }: InvitationCode): string {
  const body = `epi_${id}_${secret}`;
  return body + checksum(body);
}

/** Null when the text is not a code. */
export function parseInvitationCode(text: string): InvitationCode | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [, id = "", secret = "", crc] = match;
  return crc === checksum(`epi_${id}_${secret}`) ? { id, secret } : null;
}
