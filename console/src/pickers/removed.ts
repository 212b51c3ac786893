import { type DirectoryEvent, DirectoryHistoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { changesOf, type Ever, type Removable, removedIn } from "../history/removals.ts";

export type { Ever };

type Picked = { readonly id: string; readonly name?: string; readonly displayName?: string } & {
  readonly preferredLoginName?: string;
};

/** Removed things are found by name among those of the latest changes, which is one page, and by id among all. */
const latest = 1_000;

/** Finds what was removed. */
export function useFoundRemoved<Item extends Picked>(kind: Removable, text: string, enabled: boolean) {
  const list = DirectoryHistoryService.method.listDirectoryEvents;
  const all = useQuery(list, changesOf(kind, undefined, latest), { enabled });
  const byId = useQuery(list, changesOf(kind, text), { enabled });
  const itemsOf = (answer: typeof all.data) =>
    [...Map.groupBy(answer?.events ?? [], idOf).values()].flatMap((ofOne) => {
      const item = removedIn(ofOne)?.[kind] as Ever<Item> | undefined;
      return item === undefined ? [] : [{ ...item, isRemoved: true }];
    });
  const named = itemsOf(all.data).filter((item) => isNamed(item, text));
  return { items: enabled ? [...itemsOf(byId.data), ...named] : [], queries: [all, byId] };
}

function idOf({ before, after }: DirectoryEvent): string {
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
