/** The type of the file system that a path is on, from the kernel's table of mounts (proc_pid_mountinfo(5)). Pure. */

/** Null where the table has no mount of it. The path has no symbolic links. */
export function fileSystemOf(path: string, mountInfo: string): string | null {
  let found: { readonly point: string; readonly type: string } | null = null;
  for (const line of mountInfo.split("\n")) {
    const [before = "", after = ""] = line.split(" - ");
    const point = unescaped(before.split(" ")[4] ?? "");
    const [type = ""] = after.split(" ");
    // Of two at one place, the later one covers the earlier.
    if (isBelow(path, point) && point.length >= (found?.point.length ?? 0)) found = { point, type };
  }
  return found?.type ?? null;
}

function isBelow(path: string, point: string): boolean {
  return point === "/" || path === point || (point !== "" && path.startsWith(`${point}/`));
}

/** Spaces and the like are in octal. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}
