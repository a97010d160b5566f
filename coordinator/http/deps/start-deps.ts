import type { StartBoard } from "../../progress/start-board.ts";

/** How provers start. */
export interface StartDeps {
  readonly starts: Pick<StartBoard, "subscribe" | "ofDeployment">;
}
