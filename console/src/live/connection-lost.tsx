/** Says how old the page's data are while no updates come. A moment without connection is not worth a word. */
import { Alert } from "@mantine/core";
import { useEffect, useState } from "react";
import { agoText } from "./ago-text.ts";

const UNSAID_MS = 2_000;
const TICK_MS = 1_000;

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

function useNow(isTicking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!isTicking) return;
    const tick = () => setNow(Date.now());
    tick();
    const timer = setInterval(tick, TICK_MS);
    return () => clearInterval(timer);
  }, [isTicking]);
  return now;
}
