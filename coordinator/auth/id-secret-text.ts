/**
 * The text of what names a record and proves a secret: `<prefix>_<id>_<secret><crc>`. The id is that of the record, the
 * secret has 178 bits, and the CRC-32 of all before it refuses what was cut or mistyped before anything is looked up.
 */
import { checksum, randomText, SECRET_LENGTH } from "./secret-text.ts";

interface IdSecret {
  /** 32 hexadecimal characters. */
  readonly id: string;
  readonly secret: string;
}

export interface IdSecretText {
  create(id: string): IdSecret;
  format(of: IdSecret): string;
  /** Null when the text has another form. */
  parse(text: string): IdSecret | null;
}

function idSecretText(prefix: string): IdSecretText {
  const pattern = new RegExp(`^${prefix}_([0-9a-f]{32})_([0-9A-Za-z]{30})([0-9A-Za-z]{6})$`);
  const bodyOf = ({ id, secret }: IdSecret) => `${prefix}_${id}_${secret}`;
  return {
    create: (id) => ({ id, secret: randomText(SECRET_LENGTH) }),
    format: (of) => bodyOf(of) + checksum(bodyOf(of)),
    parse(text) {
      const [, id = "", secret = "", crc] = pattern.exec(text) ?? [];
      return crc !== undefined && crc === checksum(bodyOf({ id, secret })) ? { id, secret } : null;
    },
  };
}

export const invitationCode: IdSecretText = idSecretText("epi");
export const joinTokenText: IdSecretText = idSecretText("ejt");
/** One-time, for a browser without a login provider. */
export const loginLinkText: IdSecretText = idSecretText("ell");
/** One-time, for a terminal in the browser. */
export const terminalTicketText: IdSecretText = idSecretText("ett");
/** What a program polls with until its user has logged it in. */
export const deviceCodeText: IdSecretText = idSecretText("edc");
/** The value of a session's cookie. */
export const sessionText: IdSecretText = idSecretText("ess");
