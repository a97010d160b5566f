/** Shows a push as it goes: bars on a terminal, else a line for each layer that is done. */
import type { Printer } from "../output/printer.ts";
import type { PushState } from "./push-state.ts";
import { layerText, pushBars } from "./push-text.ts";

export function showPush(printer: Printer): (state: PushState) => void {
  const shown = new Set<string>();
  return (state) => {
    if (printer.redraws) return printer.block(pushBars(state));
    for (const layer of state.layers.values()) {
      const text = layerText(layer);
      if (text === null || shown.has(layer.id)) continue;
      shown.add(layer.id);
      printer.note(text);
    }
  };
}
