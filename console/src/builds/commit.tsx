/** The commit that a build is of, with the first line of its message; the ref until the commit is known. */
import { Code, Text } from "@mantine/core";
import { visibleLine } from "../text/visible-text.ts";
import type { Build } from "./builds-query.ts";
import { refText, shortCommit } from "./commit-text.ts";

export function Commit({ of }: { readonly of: Pick<Build, "repository"> }) {
  const { repository } = of;
  if (repository === null) return null;
  return (
    <Text component="span" size="sm" style={{ overflowWrap: "anywhere" }}>
      <Code>{shortCommit(of) ?? visibleLine(refText(repository.ref))}</Code> {visibleLine(repository.title ?? "")}
    </Text>
  );
}
