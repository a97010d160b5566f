import { expect, test } from "vitest";
import { instantOf } from "../../public/timestamp.ts";
import { HOUR_MS } from "../../public/usage-record.ts";
import { DAY_MS, hoursOf } from "./usage-range.ts";

const NOW = instantOf("2026-11-24T10:30:00");

test("rounds the time outwards, and starts 30 days before its end where no begin is named", () => {
  const hour = instantOf("2026-11-24T11:00:00") / HOUR_MS;
  expect(hoursOf({}, NOW, HOUR_MS)).toEqual({ fromHour: hour - 30 * 24, beforeHour: hour });
  const { fromHour, beforeHour } = hoursOf({ from: "2026-11-22T23:59:59", to: "2026-11-24T00:00:01" }, NOW, DAY_MS);
  expect([fromHour * HOUR_MS, beforeHour * HOUR_MS]).toEqual([
    instantOf("2026-11-22T00:00:00"),
    instantOf("2026-11-25T00:00:00"),
  ]);
});

test("rejects a time that is empty, too long, or of years that a timestamp cannot name", () => {
  const rejected = [
    [{ from: "2026-11-24T00:00:00", to: "2026-11-24T00:00:00" }, "from"],
    [{ from: "2026-01-01T00:00:00", to: "2026-11-24T00:00:00" }, "from"],
    [{ to: "0000-01-01T00:00:00" }, "from"],
    [{ from: "9999-12-31T00:00:00", to: "9999-12-31T23:59:59" }, "to"],
  ] as const;
  for (const [query, pointer] of rejected) {
    const refused = expect.objectContaining({ errors: [expect.objectContaining({ pointer })] });
    for (const unit of [HOUR_MS, DAY_MS]) expect(() => hoursOf(query, NOW, unit)).toThrow(refused);
  }
});
