/** What keeps the demo from running and the user can change: its message is all that they need. */
export class DemoError extends Error {
  override readonly name = "DemoError";
}
