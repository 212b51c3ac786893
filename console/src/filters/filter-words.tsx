import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { lazy, Suspense } from "react";
import { projectIn, type Word, wordsOf } from "./words.ts";

// The messages of look-ups are loaded when a name is needed, not with the first view.
const Name = lazy(async () => ({ default: (await import("./names.tsx")).Name }));

type Props = {
  filter: AuthorizationsSearchFilter;
  /** All filters. They may leave only one project. */
  beside: readonly AuthorizationsSearchFilter[];
};

/** A filter in words, with names in place of ids. */
export function FilterWords({ filter, beside }: Props) {
  return wordsOf(filter, projectIn(beside)).map((word, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: words are told apart by their places alone.
    <bdi key={place}>
      <Shown word={word} />
    </bdi>
  ));
}

function Shown({ word }: { word: Word }) {
  if (typeof word === "string") return word;
  if ("text" in word) return word.text;
  return (
    <Suspense fallback={word.id}>
      <Name named={word} />
    </Suspense>
  );
}
