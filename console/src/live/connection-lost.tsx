/** Says how old the page's data are while no updates come. A moment without connection is not worth a word. */
import { Alert } from "@mantine/core";
import { agoText } from "./ago-text.ts";
import { useNow } from "./use-now.ts";

const UNSAID_MS = 2_000;

/** `since` in milliseconds since the epoch; null while updates come. */
export function ConnectionLost({ since }: { readonly since: number | null }) {
  const now = useNow(since !== null);
  if (since === null || now - since < UNSAID_MS) return null;
  return (
    <Alert color="yellow" mb="md" p="xs">
      <span role="status">Connection lost</span>: shown as of {agoText(now - since)}. The page reconnects automatically.
    </Alert>
  );
}
