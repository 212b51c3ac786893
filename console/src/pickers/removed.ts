import { DirectoryHistoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { changesOf, type Ever, type Removable, type Removed, removedIn } from "../history/removals.ts";
import { askingOf, exactFirst, type Found } from "./found.ts";
import type { Pickable } from "./use-search.ts";

export type { Ever };

type Picked = { readonly id: string; readonly name?: string; readonly displayName?: string } & {
  readonly preferredLoginName?: string;
};

/** Removed things are found by name among those of the latest changes, which is one page, and by id among all. */
const latest = 1_000;

/** Also finds what was removed, and lists it last. */
export function withRemoved<Item extends Picked>(
  pickable: Pickable<Ever<Item>>,
  kind: Removable,
  thingOf: (removed: Removed) => Item | undefined,
): Pickable<Ever<Item>> {
  return {
    ...pickable,
    useFound: (text, isOpen) => withGone(pickable.useFound(text, isOpen), useFoundRemoved(kind, thingOf, text, isOpen)),
  };
}

function useFoundRemoved<Item extends Picked>(
  kind: Removable,
  thingOf: (removed: Removed) => Item | undefined,
  text: string,
  isOpen: boolean,
): Found<Ever<Item>> {
  const list = DirectoryHistoryService.method.listDirectoryEvents;
  const asked = { enabled: isOpen && text !== "" };
  const all = useQuery(list, changesOf(kind, undefined, latest), asked);
  const byId = useQuery(list, changesOf(kind, text), asked);
  const itemsOf = (events: readonly Event[]) =>
    [...Map.groupBy(events, idOf).values()].flatMap((ofOne) => {
      const removed = removedIn(ofOne);
      const item = removed && thingOf(removed);
      return item === undefined ? [] : [{ ...item, isRemoved: true }];
    });
  const named = itemsOf(all.data?.events ?? []).filter((item) => isNamed(item, text));
  const items = text === "" ? [] : exactFirst([itemsOf(byId.data?.events ?? [])], named);
  return { items, isMore: false, ...askingOf([all, byId]) };
}

function withGone<Item extends { id: string }>(there: Found<Item>, gone: Found<Item>): Found<Item> {
  return {
    // It may have been added again while the answers were on their way.
    items: [...there.items, ...gone.items.filter(({ id }) => there.items.every((item) => item.id !== id))],
    isMore: there.isMore,
    isAsking: there.isAsking || gone.isAsking,
    error: there.error ?? gone.error,
    retry: () => {
      for (const { error, retry } of [there, gone]) if (error) retry();
    },
  };
}

type Event = NonNullable<Parameters<typeof removedIn>[0]>[number];

function idOf({ before, after }: Event): string {
  const thing = (after ?? before)?.thing;
  return thing?.case === "user" || thing?.case === "project" || thing?.case === "organization" ? thing.value.id : "";
}

/** Whether each word of the text begins a word of the names, as in the look-ups of what is there. */
function isNamed({ name = "", displayName = "", preferredLoginName = "" }: Picked, text: string): boolean {
  const known = wordsOf(`${name} ${displayName} ${preferredLoginName}`);
  return wordsOf(text).every((word) => known.some((one) => one.startsWith(word)));
}

function wordsOf(text: string): string[] {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}
