/** The time, in milliseconds since the epoch; it advances by the second while it ticks. */
import { useEffect, useState } from "react";

const TICK_MS = 1_000;

export function useNow(isTicking: boolean): number {
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
