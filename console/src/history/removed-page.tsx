import { DirectoryHistoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import type { ReactNode } from "react";
import { CopyId } from "../directory/copy-id.tsx";
import { HistoryLink } from "../directory/history-link.tsx";
import { Page, Section, Skeleton } from "../directory/page.tsx";
import { Facts } from "../parts/facts.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, personName } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { removedWords as words } from "../words/removed.ts";
import { Actor } from "./actor.tsx";
import { AssignmentEvents, DirectoryEvents } from "./latest-events.tsx";
import { useNames } from "./names.ts";
import { changesOf, type Removable, type Removed, removedIn } from "./removals.ts";
import type { HistorySearch } from "./search.ts";

type Props = {
  kind: Removable;
  id: string;
  /** The history of a person; other things have theirs here. */
  history?: ReactNode;
  /** If the reader sees no removal, which may be because there is no such thing. */
  notFound: ReactNode;
};

/** The page of something that isn't there: what it was, when it went, and its history. */
export function RemovedPage({ kind, id, history, notFound }: Props) {
  const list = DirectoryHistoryService.method.listDirectoryEvents;
  const { data, error, refetch } = useQuery(list, changesOf(kind, id), { enabled: id !== "" });
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined && id !== "") return <Skeleton rows={3} columns={2} />;
  const removed = removedIn(data?.events ?? []);
  if (removed === undefined) return notFound;
  const name = removed.user ? personName(removed.user) : ((removed.project ?? removed.organization)?.name ?? "");
  return (
    <Page name={name} kind={words.kinds[kind]} facts={<CopyId id={id} of={name} />} about={id}>
      <What removed={removed} />
      {history ?? <History kind={kind === "project" ? "project" : "organization"} id={id} />}
    </Page>
  );
}

function What({ removed }: { removed: Removed }) {
  const { removal, user, project } = removed;
  const { organizationOf } = useNames([removal]);
  const organizationId = (user ?? project)?.organizationId;
  const organization = organizationId !== undefined && (
    <OrganizationLink organization={organizationOf(organizationId)} />
  );
  return (
    <Facts
      facts={{
        [words.loginName]: user?.preferredLoginName && <bdi>{user.preferredLoginName}</bdi>,
        [user ? words.belongedTo : words.ownedBy]: organization,
        [words.when]: <Moment at={removal.time} />,
        [words.by]: <Actor of={removal} />,
        [words.why]: removal.reason && <q>{removal.reason}</q>,
      }}
    />
  );
}

function History({ kind, id }: { kind: "project" | "organization"; id: string }) {
  const search: HistorySearch = { [kind]: id };
  return (
    <Section title={words.history} actions={<HistoryLink search={search} />}>
      <section className="stack" aria-label={words.assignments}>
        <h3>{words.assignments}</h3>
        <AssignmentEvents search={search} none={words.none} />
      </section>
      <section className="stack" aria-label={words.directory[kind]}>
        <h3>{words.directory[kind]}</h3>
        <DirectoryEvents search={search} none={words.none} />
      </section>
    </Section>
  );
}
