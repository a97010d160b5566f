/** Out of the console once the session has ended, however it ended: nothing of the user stays in this browser or its tabs. */
import { forgetUser } from "./stored-user.ts";

export function leaveSession(loginAddress: string): void {
  forgetUser(localStorage);
  forgetUser(sessionStorage);
  // Loaded again, the page has nothing in memory. Other tabs learn it by what is stored, and load again too.
  window.location.assign(loginAddress);
}
