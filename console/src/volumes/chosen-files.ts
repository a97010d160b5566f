/** Files that a person has chosen, as a volume has them: by paths within it. */

export interface ChosenFile {
  /** Within the volume, with slashes. */
  readonly path: string;
  readonly file: Blob;
}

export interface Chosen {
  readonly files: readonly ChosenFile[];
  /** That of the folder or the single file, as a name that the service accepts. */
  readonly name: string;
}

/** As browsers have it: the path begins with the folder that was chosen, and is empty for single files. */
type NamedFile = Blob & { readonly name: string; readonly webkitRelativePath: string };

export function chosenFiles(list: readonly NamedFile[]): Chosen {
  const [first] = list;
  const folder = first?.webkitRelativePath.split("/")[0] ?? "";
  const files = list.map((file) => {
    const path = file.webkitRelativePath === "" ? file.name : file.webkitRelativePath.slice(folder.length + 1);
    return { path, file };
  });
  return { files, name: volumeName(folder === "" ? (first?.name ?? "") : folder) };
}

function volumeName(text: string): string {
  const name = text
    .replaceAll(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[^A-Za-z0-9]+/, "")
    .slice(0, 63);
  return name === "" ? "data" : name;
}
