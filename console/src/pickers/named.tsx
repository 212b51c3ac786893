import { TextFilterMethod } from "@authorization-service/client";
import { mostOffered } from "./found.ts";

// What look-ups of things with a name and an id have in common: organizations and projects.

type Named = { readonly id: string; readonly name: string };

export const idOf = ({ id }: Named) => id;

/** A thing without a name is called by its id. */
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

/** Asks for what has the text in its name, whatever its case; for everything when it is empty. */
export function askedByName(text: string) {
  const value = { text, method: TextFilterMethod.CONTAINS_IGNORE_CASE };
  return { filters: text === "" ? [] : [{ filter: { case: "name" as const, value } }], pagination };
}

/** Asks for what has exactly this id. */
export function askedById(id: string) {
  return { filters: [{ filter: { case: "ids" as const, value: { ids: [id] } } }], pagination };
}
