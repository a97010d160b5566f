/** A new service: from an image, or from a repository where this installation has a source host. */
import { SegmentedControl, Stack, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useSearch } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { api } from "../api/client.ts";
import { ApiError, dataOf } from "../api/problem.ts";
import { PageTitle } from "../layout/page-title.tsx";
import { QueryState } from "../layout/query-state.tsx";
import { canBuildFrom } from "../sources/can-build-from.ts";
import { LinkNotice } from "../sources/link-notice.tsx";
import { hostsQuery } from "../sources/sources-query.ts";
import { FromImageForm } from "./from-image-form.tsx";
import { FromRepositoryForm } from "./from-repository-form.tsx";

const ORIGINS = [
  { value: "image", label: "From an Image" },
  { value: "repository", label: "From a Repository" },
];

export function NewServicePage() {
  const hosts = useQuery(hostsQuery);
  return (
    <Stack>
      <PageTitle title="New Service" />
      <QueryState query={hosts}>{(read) => <NewService hasHosts={canBuildFrom(read)} />}</QueryState>
    </Stack>
  );
}

function NewService({ hasHosts }: { readonly hasHosts: boolean }) {
  const search = useSearch({ from: "/inside/services/new" });
  const isBack = search.connection_id !== undefined || search.source_error !== undefined;
  const [origin, setOrigin] = useState(isBack ? "repository" : "image");
  const [name, setName] = useState("");
  // A service whose deployment or source was refused is used again under the same name, not made a second time.
  const made = useRef<{ readonly name: string; readonly id: string } | null>(null);
  const makeService = async () => {
    if (made.current?.name !== name) {
      const service = await dataOf(api.POST("/v1/services", { body: { service_name: name } }));
      made.current = { name, id: service.service_id };
    }
    return made.current.id;
  };
  const unmakeService = async () => {
    const id = made.current?.id;
    if (id === undefined) return;
    // Where it stays, it is used again; a failure to delete it is no failure of what the user wants.
    const end = await api.DELETE("/v1/services/{id}", { params: { path: { id } } }).catch(() => null);
    if (end?.response.ok) made.current = null;
  };
  const fieldsOf = (error: Error | null) => (
    <TextInput
      label="Name"
      description="1 to 63 letters, digits, dots, dashes and underscores"
      required
      maxLength={63}
      maw={420}
      value={name}
      onChange={(event) => setName(event.currentTarget.value)}
      error={error instanceof ApiError ? error.fields["#/service_name"] : undefined}
    />
  );
  return (
    <Stack>
      <LinkNotice search={search} />
      {hasHosts && (
        <SegmentedControl
          aria-label="What the service is made from"
          maw={420}
          data={ORIGINS}
          value={origin}
          onChange={setOrigin}
        />
      )}
      {hasHosts && origin === "repository" ? (
        <FromRepositoryForm
          makeService={makeService}
          unmakeService={unmakeService}
          fieldsOf={fieldsOf}
          connectionId={search.connection_id ?? null}
        />
      ) : (
        <FromImageForm makeService={makeService} fieldsOf={fieldsOf} />
      )}
    </Stack>
  );
}
