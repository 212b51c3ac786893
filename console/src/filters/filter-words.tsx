import type { AuthorizationsSearchFilter } from "@authorization-service/client";
import { lazy, Suspense } from "react";
import { type Word, wordsOf } from "./words.ts";

// The messages of look-ups are loaded when a name is needed, not with the first view.
const Name = lazy(async () => ({ default: (await import("./names.tsx")).Name }));

type Props = {
  filter: AuthorizationsSearchFilter;
  /** The project that the filters beside it leave, if it is only one. */
  project: string | undefined;
};

/** A filter in words, with names in place of ids. */
export function FilterWords({ filter, project }: Props) {
  return wordsOf(filter, project).map((word, place) => (
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
