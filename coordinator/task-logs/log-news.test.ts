import { expect, test } from "vitest";
import { LogNews } from "./log-news.ts";

test("each who listens to a task hears of it until he stops, and of no other task", () => {
  const news = new LogNews();
  const heard: string[] = [];
  const stopFirst = news.listen("a", () => heard.push("first"));
  const stopSecond = news.listen("a", () => heard.push("second"));
  news.grew("a");
  news.grew("b");
  stopFirst();
  news.grew("a");
  stopSecond();
  stopSecond();
  news.listen("a", () => heard.push("third"));
  stopSecond();
  news.grew("a");
  expect(heard).toEqual(["first", "second", "second", "third"]);
});
