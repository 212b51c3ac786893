import { AuthorizationService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { type LookUp, organizations, projects, users } from "../directory/look-ups.ts";
import { nameOf } from "../parts/role-chips.tsx";
import { filterWords } from "../words/filters.ts";
import type { Thing } from "./words.ts";

/** The name of a thing by its id. Shows the id if the caller doesn't see the thing. */
export function Name({ named }: { named: Thing }) {
  if (named.thing === "grant") return <GrantName id={named.id} />;
  if (named.thing === "role") return <RoleName {...named} />;
  return <NameOf thing={named.thing} id={named.id} />;
}

const lookUps: Record<
  "user" | "project" | "organization",
  LookUp<{ name?: string; displayName?: string; preferredLoginName?: string }>
> = {
  user: users,
  project: projects,
  organization: organizations,
};

// One at a time, because only a single id finds a user that the caller doesn't see.
function NameOf({ thing, id }: { thing: keyof typeof lookUps; id: string }) {
  const { items, isLoading } = lookUps[thing].useFound([id]);
  const { name, displayName, preferredLoginName } = items?.[0] ?? {};
  return nameOrId(name || displayName || preferredLoginName, id, isLoading);
}

function RoleName({ id, project }: { id: string; project: string }) {
  const { items, isLoading } = projects.useFound([project]);
  const role = items?.[0]?.roles.find(({ key }) => key === id);
  return nameOrId(role && nameOf(role), id, isLoading);
}

/** No look-up finds a grant by its id, but the assignments on it say what it grants. */
function GrantName({ id }: { id: string }) {
  const { data, isLoading } = useQuery(AuthorizationService.method.listAuthorizations, {
    filters: [{ filter: { case: "projectGrantId", value: { id } } }],
    pagination: { limit: 1, skipTotal: true },
  });
  const { project, organization } = data?.authorizations[0] ?? {};
  const isKnown = project?.name && organization?.name;
  return nameOrId(isKnown && filterWords.inWords.grant(project.name, organization.name), id, isLoading);
}

/** While it is asked for, neither: an id would look like the name. */
function nameOrId(name: string | undefined, id: string, isLoading: boolean): string {
  return name || (isLoading ? "…" : id);
}
