import { withWords } from "../directory/requests.ts";
import { mostOffered } from "./found.ts";

// Shared by look-ups of things with a name and an id: organizations and projects.

type Named = { readonly id: string; readonly name: string };

export const idOf = ({ id }: Named) => id;

/** The name of a thing, or its id if it has no name. */
export const nameOf = ({ id, name }: Named) => name || id;

export function NamedRow({ item }: { item: Named }) {
  return (
    <span className="picker-row">
      <bdi>{nameOf(item)}</bdi>
      <bdi className="muted">{item.id}</bdi>
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
