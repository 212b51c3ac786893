import { TextFilterMethod } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import type { DescMessage, DescMethodUnary, MessageInitShape } from "@bufbuild/protobuf";
import type { Transport } from "@connectrpc/connect";
import { createQueryOptions } from "@connectrpc/connect-query";
import type { QueryClient } from "@tanstack/react-query";
import { withIds } from "../directory/requests.ts";
import { personName } from "../parts/links.tsx";
import { assignListWords } from "../words/assign-list.ts";

const words = assignListWords.problems;

type Named = { readonly id: string; readonly name?: string };

/** What a text of the list means, or why that isn't known. */
type Meaning<Item> = { readonly item: Item; readonly problem?: undefined } | { readonly problem: string };

type Ids = ReturnType<typeof withIds>;
type ByName = ReturnType<typeof withFilter<"name">>;
type ByLogin = ReturnType<typeof withFilter<"preferredLoginName">>;

type Kind<Item extends Named, Request> = {
  readonly what: string;
  readonly list: (request: Request | Ids) => Promise<readonly Item[]>;
  /** How a text is sought that is no id, one after the other. */
  readonly ways: (text: string) => readonly (Request | Ids)[];
  readonly nameOf?: (item: Item) => string;
};

/** How many texts are asked about at the same time. */
const atOnce = 4;
const mostIds = 1_000;

/** Finds people, projects and organizations by the texts of a list: by id, otherwise by name. */
export function resolver(transport: Transport, queries: QueryClient, signal: AbortSignal) {
  const { listUsers, listProjects, listOrganizations } = DirectoryService.method;
  /** What was found isn't asked for again while the list is edited. */
  function ask<I extends DescMessage, O extends DescMessage>(method: DescMethodUnary<I, O>, of: MessageInitShape<I>) {
    signal.throwIfAborted();
    return queries.fetchQuery({ ...createQueryOptions(method, of, { transport }), staleTime: 30_000 });
  }
  return {
    people: resolving({
      what: words.of.person,
      list: async (of: Ids | ByName | ByLogin) => (await ask(listUsers, of)).users,
      // Of several with the text as a name, those who have it as their login name count.
      ways: (text) => [
        withFilter("preferredLoginName", text),
        withFilter("name", text),
        // People in places where the caller has no rights are found only by their whole login name or id.
        withFilter("preferredLoginName", text, TextFilterMethod.EQUALS),
        withIds([text]),
      ],
      nameOf: (user) => `${personName(user)} (${user.preferredLoginName || user.id})`,
    }),
    projects: resolving({
      what: words.of.project,
      list: async (of: Ids | ByName) => (await ask(listProjects, of)).projects,
      ways: byName,
    }),
    organizations: resolving({
      what: words.of.organization,
      list: async (of: Ids | ByName) => (await ask(listOrganizations, of)).organizations,
      ways: byName,
    }),
  };
}

/** Looks texts up, and resolves to what each of them means. */
function resolving<Item extends Named, Request>(kind: Kind<Item, Request>) {
  const { what, list, ways, nameOf = ({ name, id }: Item) => `${name} (${id})` } = kind;
  async function find(text: string): Promise<readonly Item[]> {
    for (const way of ways(text)) {
      const items = await list(way);
      if (items.length > 0) return items;
    }
    return [];
  }

  return async (texts: readonly string[]) => {
    const all = [...new Set(texts)];
    const found = new Map<string, readonly Item[]>();
    for (let start = 0; start < all.length; start += mostIds) {
      for (const item of await list(withIds(all.slice(start, start + mostIds)))) found.set(item.id, [item]);
    }
    const left = all.filter((text) => !found.has(text));
    const next = async (): Promise<void> => {
      for (let text = left.shift(); text !== undefined; text = left.shift()) found.set(text, await find(text));
    };
    await Promise.all(Array.from({ length: atOnce }, next));
    return (text: string): Meaning<Item> => {
      const [item, ...others] = found.get(text) ?? [];
      if (item === undefined) return { problem: words.unknown(what, text) };
      return others.length === 0 ? { item } : { problem: words.ambiguous(what, text, [item, ...others].map(nameOf)) };
    };
  };
}

function byName(text: string) {
  return [withFilter("name", text)];
}

function withFilter<Case extends "name" | "preferredLoginName">(
  name: Case,
  text: string,
  method: TextFilterMethod = TextFilterMethod.EQUALS_IGNORE_CASE,
) {
  // Few enough to name all of them.
  return { filters: [{ filter: { case: name, value: { text, method } } }], pagination: { limit: 10, skipTotal: true } };
}
