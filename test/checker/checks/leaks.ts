/** What was counted before and after is back where it was. */
import { type Check, count, type Violation, violation } from "../check.ts";
import type { History } from "../history.ts";

export const leaks: Check = {
  name: "leaks",
  lacks: (history) => (pairs(history).length === 0 ? "no counts from before and after" : null),
  find(history) {
    const all = pairs(history);
    const violations: Violation[] = all.flatMap(({ name, before, after }) => {
      const growthMax = before.growth_max ?? 1;
      if (after.value <= before.value * growthMax) return [];
      const most = growthMax === 1 ? "" : `, more than ${growthMax} times as much`;
      return [
        violation(`${name}: ${before.value} before and ${after.value} after${most}`, [], before.place, after.place),
      ];
    });
    return { violations, judged: count(all.length, "count") };
  },
};

function pairs({ counts }: History) {
  return [...Map.groupBy(counts, ({ name }) => name)].flatMap(([name, ofName]) => {
    const before = ofName.find(({ when }) => when === "before");
    const after = ofName.findLast(({ when }) => when === "after");
    return before === undefined || after === undefined ? [] : [{ name, before, after }];
  });
}
