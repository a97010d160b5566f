/** The name of a repository, which leads to its page at the host where that is known. */
import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { visibleLine } from "../text/visible-text.ts";
import { repositoryAddress } from "./repository-address.ts";
import { hostsQuery } from "./sources-query.ts";

interface RepositoryLinkProps {
  readonly of: { readonly host: string; readonly repository_name: string };
}

export function RepositoryLink({ of: { host, repository_name: name } }: RepositoryLinkProps) {
  const { data } = useQuery(hostsQuery);
  const address = repositoryAddress(data?.items.find((one) => one.name === host)?.url, name);
  if (address === null) return visibleLine(name);
  return (
    <Anchor href={address} underline="always" target="_blank" rel="noopener noreferrer">
      {visibleLine(name)}
    </Anchor>
  );
}
