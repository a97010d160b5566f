/** Where in the console a login leads back to. Whatever is not plainly a page of the console is not led to. */

export const HOME = "/services";
const LENGTH_MAX = 1_000;

/** The path with its query and fragment, as a URL's parser reads it. */
export function returnPath(text: string | undefined): string {
  // A browser reads a backslash as a slash, and drops control characters wherever they stand.
  if (text === undefined || text.length > LENGTH_MAX || !/^\/(?![/\\])[^\\\p{C}\s]*$/u.test(text)) return HOME;
  const url = URL.parse(text, "http://console.invalid");
  if (url === null || url.host !== "console.invalid") return HOME;
  // `/.//host` becomes `//host`; and no page of the console is below `/v1`.
  if (url.pathname.startsWith("//") || /^\/(v\d+|login)(\/|$)/i.test(url.pathname)) return HOME;
  return url.pathname + url.search + url.hash;
}
