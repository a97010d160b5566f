/** The team that this browser acts in, in all of its tabs; null for the user's default. */
import { useSyncExternalStore } from "react";

const STORED_AS = "elastic.team";
/** A browser notifies only its other tabs of what one stores. */
const changes = new EventTarget();

export function activeTeam(): string | null {
  return localStorage.getItem(STORED_AS);
}

export function setActiveTeam(teamId: string | null): void {
  if (teamId === null) localStorage.removeItem(STORED_AS);
  else localStorage.setItem(STORED_AS, teamId);
  changes.dispatchEvent(new Event("change"));
}

export function useActiveTeam(): string | null {
  return useSyncExternalStore(subscribe, activeTeam);
}

function subscribe(onChange: () => void): () => void {
  changes.addEventListener("change", onChange);
  window.addEventListener("storage", onChange);
  return () => {
    changes.removeEventListener("change", onChange);
    window.removeEventListener("storage", onChange);
  };
}
