import { DirectoryHistoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { CopyId } from "../directory/copy-id.tsx";
import { NotFound } from "../directory/not-found.tsx";
import { Page, Skeleton } from "../directory/page.tsx";
import { Facts } from "../parts/facts.tsx";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { OrganizationLink, personName } from "../parts/links.tsx";
import { Moment } from "../parts/moment.tsx";
import { removedWords as words } from "../words/removed.ts";
import { Actor } from "./changes.tsx";
import { HistorySection, PersonHistory } from "./history-section.tsx";
import { useNames } from "./names.ts";
import { changesOf, type Removable, type Removed, removedIn } from "./removals.ts";

type Props = {
  kind: Removable;
  id: string;
  /** What to say if the reader sees no removal, which may be because there is no such thing. */
  words: { readonly notFound: string; readonly notFoundAdvice: string };
};

/** The page of something that isn't there: what it was, when it went, and its history. */
export function RemovedPage({ kind, id, words: { notFound, notFoundAdvice } }: Props) {
  const list = DirectoryHistoryService.method.listDirectoryEvents;
  const { data, error, refetch } = useQuery(list, changesOf(kind, id), { enabled: id !== "" });
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined && id !== "") return <Skeleton rows={3} columns={2} />;
  const removed = removedIn(data?.events ?? []);
  if (removed === undefined) return <NotFound title={notFound} advice={notFoundAdvice} />;
  const name = removed.user ? personName(removed.user) : ((removed.project ?? removed.organization)?.name ?? "");
  return (
    <Page name={name} kind={words.kinds[kind]} facts={<CopyId id={id} of={name} />} about={id}>
      <What removed={removed} />
      {kind === "user" ? <PersonHistory id={id} /> : <HistorySection search={{ [kind]: id }} />}
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
        [words.by]: <Actor actor={removal.actor} />,
        [words.why]: removal.reason && <q>{removal.reason}</q>,
      }}
    />
  );
}
