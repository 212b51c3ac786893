import { ErrorInfoSchema } from "@authorization-service/client";
import { DirectoryService, ChangeOutcome_Effect as Effect } from "@authorization-service/client/directory";
import { type Client, ConnectError, createClient } from "@connectrpc/connect";
import { useTransport } from "@connectrpc/connect-query";
import { useQuery } from "@tanstack/react-query";
import type { Change as NewChange } from "../directory-changes/use-change.ts";
import { ofDryRun } from "../directory-changes/use-request.ts";
import { allPages } from "../export/pages.ts";
import { failureOf } from "../parts/failure.ts";
import { personName } from "../parts/links.tsx";
import { addPeopleWords } from "../words/add-people.ts";
import type { Line } from "./lines.ts";

const words = addPeopleWords.problems;

/** People of one request, and the version of the dry run that found nothing in their way. */
export type Batch = { readonly lines: readonly Line[]; readonly version: string };

/** What the service says about the lines of a list before anyone is added. */
export type Checked = {
  /** What keeps lines from being added, by their numbers. */
  readonly problems: ReadonlyMap<number, string>;
  /** What can be added, in requests that the service takes. */
  readonly batches: readonly Batch[];
};

/** Where people are to be added, and how to ask about it. */
type Asked = {
  readonly client: Client<typeof DirectoryService>;
  readonly organizationId: string;
  readonly signal: AbortSignal;
};

/** What the service says about the lines that have no problem yet. */
export function useCheck(organizationId: string, lines: readonly Line[]) {
  const client = createClient(DirectoryService, useTransport());
  const open = lines.filter(({ problem }) => problem === undefined);
  return useQuery<Checked, ConnectError>({
    queryKey: ["people to add", organizationId, open.map(({ number, person }) => [number, ...Object.values(person)])],
    queryFn: ({ signal }) => check({ client, organizationId, signal }, open),
    enabled: open.length > 0,
    structuralSharing: false,
    // Looking at another window must not ask for a dry run of all people again. Sending them does.
    refetchOnWindowFocus: false,
    gcTime: 0,
    meta: ofDryRun,
  });
}

/** The most changes of a request. */
const mostChanges = 1_000;

/**
 * Asks for a dry run of all people, and who in the organization has one of their login names already. Login names needn't
 * be unique, but the same one twice in an organization is a list that was pasted twice.
 */
async function check(asked: Asked, lines: readonly Line[]): Promise<Checked> {
  const problems = await loginNamesTaken(asked, lines);
  const wanted = lines.filter(({ number }) => !problems.has(number));
  const batches: Batch[] = [];
  for (let start = 0; start < wanted.length; start += mostChanges) {
    batches.push(await dryRun(asked, wanted.slice(start, start + mostChanges), problems));
  }
  return { problems, batches: batches.filter((batch) => batch.lines.length > 0) };
}

export function changeOf({ person }: Line, organizationId: string): NewChange {
  return { change: { case: "user", value: { ...person, organizationId, avatarUrl: "" } } };
}

/** Leaves out the lines whose ids are taken: adding them would change others. */
async function dryRun(asked: Asked, lines: readonly Line[], problems: Map<number, string>): Promise<Batch> {
  const { client, organizationId, signal } = asked;
  let left = lines;
  for (;;) {
    try {
      const changes = left.map((line) => changeOf(line, organizationId));
      const { outcomes, version } = await client.applyChanges({ changes, dryRun: true }, { signal });
      for (const [at, { number }] of left.entries()) {
        const { effect, before } = outcomes[at] ?? {};
        const name = before?.change.case === "user" ? personName(before.change.value) : words.someone;
        if (effect === Effect.NONE) problems.set(number, words.isThere);
        else if (effect !== Effect.CREATED) problems.set(number, words.idTaken(name));
      }
      return { lines: left.filter(({ number }) => !problems.has(number)), version };
    } catch (error) {
      // The service refuses all of them together, and names the first one that it minds: its id may be someone elsewhere.
      const index = ConnectError.from(error).findDetails(ErrorInfoSchema)[0]?.metadata.index;
      const refused = left[Number(index)];
      if (!refused?.hasOwnId || left.length === 1) throw error;
      problems.set(refused.number, failureOf(error).title);
      left = left.filter((line) => line !== refused);
    }
  }
}

/** Beyond that many people, reading all of them would take too long. */
const mostRead = 20_000;

async function loginNamesTaken(asked: Asked, lines: readonly Line[]): Promise<Map<number, string>> {
  const { client, organizationId, signal } = asked;
  const byLoginName = new Map(lines.map((line) => [line.person.preferredLoginName.toLowerCase(), line.number]));
  const problems = new Map<number, string>();
  const filters = [{ filter: { case: "organizationId" as const, value: { id: organizationId } } }];
  let read = 0;
  for await (const { users } of allPages(
    (pagination) => client.listUsers({ filters, pagination }, { signal }),
    signal,
  )) {
    for (const user of users) {
      const number = byLoginName.get(user.preferredLoginName.toLowerCase());
      if (number !== undefined) problems.set(number, words.loginNameTaken(personName(user)));
    }
    read += users.length;
    if (read >= mostRead) break;
  }
  return problems;
}
