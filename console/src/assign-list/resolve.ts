import { TextFilterMethod } from "@authorization-service/client";
import { DirectoryService, type User } from "@authorization-service/client/directory";
import { type Client, createClient, type Transport } from "@connectrpc/connect";
import { withIds } from "../directory/requests.ts";
import { personName } from "../parts/links.tsx";
import { assignListWords } from "../words/assign-list.ts";

const words = assignListWords.problems;

type Named = { readonly id: string };

/** What a text of the list means, or why that isn't known. */
export type Meaning<Item> = { readonly item: Item; readonly problem?: undefined } | { readonly problem: string };

/** What was found by name. It isn't asked for again while the list is edited. */
export type Known = Map<string, readonly Named[]>;

type Kind<Item extends Named> = {
  readonly what: string;
  readonly byIds: (ids: readonly string[]) => Promise<readonly Item[]>;
  /** By login name, otherwise by the whole name. */
  readonly byName: (text: string) => Promise<readonly Item[]>;
  readonly nameOf: (item: Item) => string;
};

/** Finds people, projects and organizations by the texts of a list: by id, otherwise by name. */
export function resolver(transport: Transport, known: Known, signal: AbortSignal) {
  const client = createClient(DirectoryService, transport);
  const how = { signal };
  return {
    people: (texts: readonly string[]) =>
      resolve(texts, known, {
        what: words.of.person,
        byIds: async (ids) => (await client.listUsers(withIds(ids), how)).users,
        byName: (text) => peopleNamed(client, text, signal),
        nameOf: (user) => `${personName(user)} (${user.preferredLoginName || user.id})`,
      }),
    projects: (texts: readonly string[]) =>
      resolve(texts, known, {
        what: words.of.project,
        byIds: async (ids) => (await client.listProjects(withIds(ids), how)).projects,
        byName: async (text) => (await client.listProjects(withFilter("name", text), how)).projects,
        nameOf: withItsId,
      }),
    organizations: (texts: readonly string[]) =>
      resolve(texts, known, {
        what: words.of.organization,
        byIds: async (ids) => (await client.listOrganizations(withIds(ids), how)).organizations,
        byName: async (text) => (await client.listOrganizations(withFilter("name", text), how)).organizations,
        nameOf: withItsId,
      }),
  };
}

function withItsId({ name, id }: Named & { readonly name: string }): string {
  return `${name} (${id})`;
}

/** How many texts are asked about at the same time. */
const atOnce = 4;
const mostIds = 1_000;

async function resolve<Item extends Named>(
  texts: readonly string[],
  known: Known,
  { what, byIds, byName, nameOf }: Kind<Item>,
): Promise<ReadonlyMap<string, Meaning<Item>>> {
  const all = [...new Set(texts)];
  const found = new Map<string, readonly Item[]>();
  for (let start = 0; start < all.length; start += mostIds) {
    for (const item of await byIds(all.slice(start, start + mostIds))) found.set(item.id, [item]);
  }
  const left = all.filter((text) => !found.has(text));
  const next = async (): Promise<void> => {
    for (let text = left.shift(); text !== undefined; text = left.shift()) {
      const key = JSON.stringify([what, text]);
      const items = (known.get(key) as readonly Item[] | undefined) ?? (await byName(text));
      if (items.length > 0) known.set(key, items);
      found.set(text, items);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return new Map(all.map((text) => [text, meaningOf(text, found.get(text) ?? [])]));

  function meaningOf(text: string, items: readonly Item[]): Meaning<Item> {
    const [item, ...others] = items;
    if (item === undefined) return { problem: words.unknown(what, text) };
    return others.length === 0 ? { item } : { problem: words.ambiguous(what, text, items.map(nameOf)) };
  }
}

/** Few enough to name all of them. */
const pagination = { limit: 10, skipTotal: true };

function withFilter<Case extends "name" | "preferredLoginName">(
  name: Case,
  text: string,
  method: TextFilterMethod = TextFilterMethod.EQUALS_IGNORE_CASE,
) {
  return { filters: [{ filter: { case: name, value: { text, method } } }], pagination };
}

/** Of several with the text as a name, those who have it as their login name count. */
async function peopleNamed(
  client: Client<typeof DirectoryService>,
  text: string,
  signal: AbortSignal,
): Promise<readonly User[]> {
  const byLogin = await client.listUsers(withFilter("preferredLoginName", text), { signal });
  if (byLogin.users.length > 0) return byLogin.users;
  const { users } = await client.listUsers(withFilter("name", text), { signal });
  if (users.length > 0) return users;
  // People in places where the caller has no rights are found only by their whole login name or id.
  const exact = withFilter("preferredLoginName", text, TextFilterMethod.EQUALS);
  const hidden = await client.listUsers(exact, { signal });
  return hidden.users.length > 0 ? hidden.users : (await client.listUsers(withIds([text]), { signal })).users;
}
