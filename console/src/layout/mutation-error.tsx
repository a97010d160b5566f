/** Why a change was refused; nothing where it was not. */
import { Alert } from "@mantine/core";
import { messageOf } from "../api/problem.ts";

export function MutationError({ of: { error } }: { readonly of: { readonly error: unknown } }) {
  if (error === null) return null;
  return (
    <Alert color="red" role="alert">
      {messageOf(error)}
    </Alert>
  );
}
