import { withWords } from "../directory/requests.ts";
import { removedWords } from "../words/removed.ts";
import { mostOffered } from "./found.ts";
import type { Ever } from "./removed.ts";

// Shared by look-ups of things with a name and an id: organizations and projects.

type Named = { readonly id: string; readonly name: string };

export const idOf = ({ id }: Named) => id;

/** The name of a thing, or its id if it has no name. */
export const nameOf = ({ id, name }: Named) => name || id;

export function NamedRow({ item }: { item: Ever<Named> }) {
  return (
    <span className="picker-row">
      <bdi>{nameOf(item)}</bdi>
      <span className="muted">
        <bdi>{item.id}</bdi>
        {item.isRemoved && ` · ${removedWords.mark}`}
      </span>
    </span>
  );
}

const pagination = { limit: mostOffered, skipTotal: true };

/** Finds things by the words of their names; everything if the text is empty. */
export function askedByName(text: string) {
  return { filters: withWords(text), pagination };
}

/** Finds the thing with exactly this id. */
export function askedById(id: string) {
  return { filters: [{ filter: { case: "ids" as const, value: { ids: [id] } } }], pagination };
}
