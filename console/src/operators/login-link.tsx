/** A login link, shown once, for the operator to pass on. */
import type { components } from "elastic-client/gen/schema.ts";
import { SecretOnce } from "../layout/secret-once.tsx";
import { Time } from "../layout/time.tsx";

interface LoginLinkProps {
  readonly of: components["schemas"]["LoginLink"];
  readonly onDone: () => void;
}

export function LoginLink({ of: { login_url: url, expires }, onDone }: LoginLinkProps) {
  return (
    <SecretOnce secret={url} label="login link" onDone={onDone}>
      Whoever opens it is logged in as the user. It works once, until <Time of={expires} />.
    </SecretOnce>
  );
}
