import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import type { Word } from "./words.ts";

type Named = Extract<Word, { thing: string }>;

/** The name of a thing by its id. Shows the id until the name is known, or if the caller doesn't see the thing. */
export function Name({ named: { thing, id } }: { named: Named }) {
  const Found = found[thing];
  return <Found id={id} />;
}

const found: Readonly<Record<Named["thing"], (props: { id: string }) => React.ReactNode>> = {
  user: UserName,
  project: ProjectName,
  organization: OrganizationName,
};

// One at a time, because only a single id finds a user that the caller doesn't see.
function asked(id: string) {
  return {
    filters: [{ filter: { case: "ids" as const, value: { ids: [id] } } }],
    pagination: { limit: 1, skipTotal: true },
  };
}

function UserName({ id }: { id: string }) {
  const user = useQuery(DirectoryService.method.listUsers, asked(id)).data?.users[0];
  return user?.displayName || user?.preferredLoginName || id;
}

function ProjectName({ id }: { id: string }) {
  return useQuery(DirectoryService.method.listProjects, asked(id)).data?.projects[0]?.name || id;
}

function OrganizationName({ id }: { id: string }) {
  return useQuery(DirectoryService.method.listOrganizations, asked(id)).data?.organizations[0]?.name || id;
}
