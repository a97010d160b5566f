/** This repository as the sources of its templates. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { inRepository } from "../local/repository.ts";
import type { Sources } from "./template-files.ts";

export const REPOSITORY: Sources = {
  read: (path) => readFileSync(inRepository(path), "utf8"),
  list: (folder) =>
    readdirSync(inRepository(folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => relative(inRepository(folder), join(parentPath, name)))
      .toSorted(),
};
