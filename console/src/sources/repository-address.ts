/** Where a repository has its page. Pure. */

/** Null where the host is not known any more, or where its address would not be one that a page may lead to. */
export function repositoryAddress(hostUrl: string | undefined, name: string): string | null {
  const base = hostUrl === undefined ? null : URL.parse(hostUrl);
  if (base === null || !/^https?:$/.test(base.protocol)) return null;
  // What the host calls its repositories is text of others: each part is a part of the path, and nothing else.
  return `${base.href.replace(/\/+$/, "")}/${name.split("/").map(encodeURIComponent).join("/")}`;
}
