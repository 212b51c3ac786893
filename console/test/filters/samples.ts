import { type AuthorizationsSearchFilter, State, TextFilterMethod } from "@authorization-service/client";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { asFilter, contentOf, kindNames, newFilter } from "../../src/filters/content.ts";
import { filterWords } from "../../src/words/filters.ts";

/** A filter of every kind that the service takes, with its words. */
export const sampled = kindNames.map((kind) => {
  const [filter, words] = sampleOf(newFilter(kind));
  return { kind, filter, words: `${filterWords.kinds[kind].subject}${words}` };
});

function sampleOf(empty: AuthorizationsSearchFilter): [filter: AuthorizationsSearchFilter, words: string] {
  const active = asFilter({ case: "state", value: { state: State.ACTIVE } });
  const content = contentOf(empty);
  switch (content?.shape) {
    case "text":
      return [content.having("Ann", TextFilterMethod.CONTAINS_IGNORE_CASE), " contains “Ann”"];
    case "id":
      return [content.having("ann"), " is ann"];
    case "grant":
      return [content.having("shop-to-globex"), " is granted: shop-to-globex"];
    case "list":
      return [content.having(["shop", "wiki", "blog", "news", "desk"]), " is shop, wiki, blog or 2 more"];
    case "state":
      return [content.having(State.INACTIVE), " is inactive"];
    case "range": {
      const [from, to] = [new Date(2026, 10, 1), new Date(2026, 10, 8)];
      const range = { from: timestampFromDate(from), to: timestampFromDate(to) };
      return [content.having(range), ` from ${day(from)} until before ${day(to)}`];
    }
    case "several":
      return [
        content.having([active, asFilter({ case: "not", value: active })]),
        ": State is active; (Not: State is active)",
      ];
    case "not":
      return [content.having(active), ": State is active"];
    case undefined:
      throw new Error("a new filter has content");
  }
}

function day(date: Date): string {
  return new Intl.DateTimeFormat(undefined, { dateStyle: "medium" }).format(date);
}
