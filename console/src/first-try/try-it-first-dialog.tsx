/** Deploys the demo prover with values that a first user need not change: from a repository of theirs, or without one. */
import { Modal } from "@mantine/core";
import { useIsMutating, useQuery } from "@tanstack/react-query";
import { QueryState } from "../layout/query-state.tsx";
import { canBuildFrom } from "../sources/can-build-from.ts";
import { connectionsQuery, hostsQuery } from "../sources/sources-query.ts";
import { BuiltinForm } from "./builtin-form.tsx";
import { RepositoryForm } from "./repository-form.tsx";
import type { ResumedTry } from "./resumed-try.ts";
import { FIRST_TRY } from "./use-first-try.ts";

interface TryItFirstDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** One that came back from a source host. */
  readonly resumed: ResumedTry | null;
}

export function TryItFirstDialog({ opened, onClose, resumed }: TryItFirstDialogProps) {
  const hosts = useQuery(hostsQuery);
  // Read before the dialog is shown, so that its first button has the focus.
  const connections = useQuery(connectionsQuery);
  const isBusy = useIsMutating({ mutationKey: FIRST_TRY }) > 0;
  return (
    <Modal
      opened={opened && !hosts.isPending && !connections.isPending}
      // What is under way would continue unseen.
      onClose={() => !isBusy && onClose()}
      title="Deploy the demo prover"
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <QueryState query={hosts}>
        {(read) => (canBuildFrom(read) ? <RepositoryForm hosts={read.items} resumed={resumed} /> : <BuiltinForm />)}
      </QueryState>
    </Modal>
  );
}
