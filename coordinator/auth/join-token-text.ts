/** The text of a join token, `ejt_<id>_<secret><crc>`, made and checked as the text of a key is. */
import { checksum, randomText, SECRET_LENGTH } from "./secret-text.ts";

const PATTERN = /^ejt_([0-9a-f]{32})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$/;

export interface JoinTokenText {
  readonly id: string;
  readonly secret: string;
}

export function newJoinTokenText(id: string): JoinTokenText {
  return { id, secret: randomText(SECRET_LENGTH) };
}

export function formatJoinToken({ id, secret }: JoinTokenText): string {
  const body = `ejt_${id}_${secret}`;
  return body + checksum(body);
}

/** Null when the text is not a token. */
export function parseJoinToken(text: string): JoinTokenText | null {
  const match = PATTERN.exec(text);
  if (match === null) return null;
  const [, id = "", secret = "", crc] = match;
  return crc === checksum(`ejt_${id}_${secret}`) ? { id, secret } : null;
}
