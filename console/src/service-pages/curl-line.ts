/** The command line that posts a task, for a shell of the POSIX family. Pure. */

export interface CurlLine {
  readonly url: string;
  /** Text of an access key. */
  readonly key: string;
  /** JSON. */
  readonly input: string;
}

export function curlLine({ url, key, input }: CurlLine): string {
  const headers = [`x-api-key: ${key}`, "content-type: application/json"];
  const parts = headers.map((header) => `-H ${quoted(header)}`);
  return `curl -sS ${quoted(url)} ${parts.join(" ")} -d ${quoted(`{"input":${onOneLine(input)}}`)}`;
}

/** Nothing within single quotes means anything to a shell, but their end. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Line breaks of JSON stand between its tokens only, so that none of its values changes. */
function onOneLine(json: string): string {
  return json
    .split(/\r?\n/)
    .map((line) => line.trim())
    .join("");
}
