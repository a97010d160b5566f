/** Names of users and teams that are made by a login, from what a provider calls the account. */

/** In UTF-16 units, with room for a number behind it. */
const LENGTH_MAX = 80;

/** A name as `isName` wants it, that is not taken: the text itself, or with the first free number behind it. */
export function freeName(text: string, isTaken: (name: string) => boolean): string {
  const printable = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "").trim();
  const cut =
    printable.length <= LENGTH_MAX ? printable : printable.slice(0, LENGTH_MAX).replace(/[\ud800-\udbff]$/, "");
  const name = cut.trim() || "user";
  for (let number = 2, tried = name; ; number++) {
    if (!isTaken(tried)) return tried;
    tried = `${name}-${number}`;
  }
}
