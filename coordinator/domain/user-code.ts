/** The code that a person reads in one window and types in another: 20^8 of them, without vowels and so without words. */

export const USER_CODE_LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
export const USER_CODE_LENGTH = 8;

const PATTERN = new RegExp(`^[${USER_CODE_LETTERS}]{${USER_CODE_LENGTH}}$`);

/** As people type it: in any case, with or without the hyphen. Null for what is no code. */
export function parseUserCode(text: string): string | null {
  if (text.length > 3 * USER_CODE_LENGTH) return null;
  const code = text.toUpperCase().replace(/[\s-]/g, "");
  return PATTERN.test(code) ? code : null;
}

export function formatUserCode(code: string): string {
  return `${code.slice(0, USER_CODE_LENGTH / 2)}-${code.slice(USER_CODE_LENGTH / 2)}`;
}
