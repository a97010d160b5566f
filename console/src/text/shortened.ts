/** The start of a text that is too long to be laid out. Pure. */

export interface Shortened {
  readonly shown: string;
  readonly isCut: boolean;
}

/** No character is cut in two. */
export function shortened(text: string, charsMax: number): Shortened {
  if (text.length <= charsMax) return { shown: text, isCut: false };
  const end = /[\ud800-\udbff]$/.test(text.slice(0, charsMax)) ? charsMax - 1 : charsMax;
  return { shown: text.slice(0, end), isCut: true };
}
