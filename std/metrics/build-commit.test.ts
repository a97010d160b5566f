import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { buildCommit } from "./build-commit.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
let root = "";
afterEach(() => rmSync(root, { recursive: true }));

function withFiles(files: Readonly<Record<string, string>>): string {
  root = mkdtempSync(join(tmpdir(), "build-commit-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test.each([
  ["a package", { "build.json": `{"commit":"${COMMIT}"}\n` }],
  ["a branch", { ".git/HEAD": "ref: refs/heads/main\n", ".git/refs/heads/main": `${COMMIT}\n` }],
  [
    "a packed branch",
    { ".git/HEAD": "ref: refs/heads/main\n", ".git/packed-refs": `# pack\n${COMMIT} refs/heads/main\n` },
  ],
  ["a detached checkout", { ".git/HEAD": `${COMMIT}\n` }],
  [
    "a further worktree",
    {
      ".git": "gitdir: main/worktrees/b\n",
      "main/worktrees/b/HEAD": "ref: refs/heads/b\n",
      "main/worktrees/b/commondir": "../..\n",
      "main/refs/heads/b": `${COMMIT}\n`,
    },
  ],
])("reads the commit of %s", (_, files) => {
  expect(buildCommit(withFiles(files))).toBe("0123456789ab");
});

test("states that a package was built from changed sources", () => {
  expect(buildCommit(withFiles({ "build.json": `{"commit":"${COMMIT}-changed"}` }))).toBe("0123456789ab-changed");
});

test.each([
  ["nothing says it", {}],
  ["Git's files say something else", { ".git/HEAD": "ref: refs/heads/new\n" }],
])("is unknown where %s", (_, files) => {
  expect(buildCommit(withFiles(files))).toBe("unknown");
});
