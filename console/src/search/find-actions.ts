import { DirectoryService, type ListedProject } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { useCaller } from "../caller.ts";
import { withWords } from "../directory/requests.ts";
import { maySomewhere } from "../directory/rights.ts";
import { personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { type Order, orderIn } from "../words/orders.ts";
import { searchWords } from "../words/search.ts";
import { type Hit, type Hits, hasAll, mostOfKind, wordsIn } from "./hits.ts";

/** Few enough of each that the results for a sentence fit together. */
const pagination = { limit: 3, skipTotal: true };
const shown = { placeholderData: keepPreviousData };

/** What a sentence asks for, such as “give Ann the role seller in Shop”. */
export function useActions(text: string): Hits {
  const caller = useCaller();
  const mayAssign = maySomewhere(caller, "user.grant.write");
  const order = orderIn(text.trim());
  const { listUsers, listProjects } = DirectoryService.method;
  const person = order && "person" in order ? order.person : undefined;
  const other = order && "other" in order ? order.other : undefined;
  const project = order && "project" in order ? order.project : undefined;
  const users = useQuery(listUsers, person ? { filters: withWords(person), pagination } : skipToken, shown);
  const others = useQuery(listUsers, other ? { filters: withWords(other), pagination } : skipToken, shown);
  const projects = useQuery(
    listProjects,
    project ? { filters: withWords(project), pagination, assignable: order?.what === "give" } : skipToken,
    shown,
  );
  const asked = [...(person ? [users] : []), ...(other ? [others] : []), ...(project ? [projects] : [])];
  const may = {
    ...{ matrix: true, same: true, compare: true, give: mayAssign },
    offboard: mayAssign || maySomewhere(caller, "user.write"),
  };
  const hits = order && may[order.what] ? hitsOf(order) : [];
  return {
    hits: hits.slice(0, mostOfKind),
    isMore: hits.length > mostOfKind,
    isAsking: asked.some(({ isFetching }) => isFetching),
    isFailed: asked.some(({ error }) => error !== null),
  };

  function hitsOf(order: Order): Hit[] {
    const { actions, action } = searchWords;
    const [foundUsers, foundProjects] = [users.data?.users ?? [], projects.data?.projects ?? []];
    switch (order.what) {
      case "compare":
        return foundUsers.flatMap((user) =>
          (others.data?.users ?? [])
            .filter(({ id }) => id !== user.id)
            .map((another) => ({
              id: `compare ${JSON.stringify([user.id, another.id])}`,
              title: actions.compare(personName(user), personName(another)),
              detail: `${user.preferredLoginName}, ${another.preferredLoginName}`,
              go: { to: "/compare", search: { from: user.id, to: another.id } },
            })),
        );
      case "same":
        return foundUsers.map((user) => ({
          ...{ id: `same ${user.id}`, title: actions.same(personName(user)), detail: user.preferredLoginName },
          go: { to: "/compare", search: { from: user.id } },
        }));
      case "offboard":
        return foundUsers.map((user) => ({
          ...{ id: `offboard ${user.id}`, title: actions.offboard(personName(user)), detail: user.preferredLoginName },
          go: { to: "/offboard", search: { id: user.id } },
        }));
      case "matrix":
        return foundProjects.map(({ id, name }) => ({
          ...{ id: `matrix ${id}`, title: actions.matrix(name), detail: action },
          go: { to: "/matrix", search: { project: id } },
        }));
      case "give":
        return foundUsers.flatMap((user) =>
          foundProjects.flatMap((place) =>
            place.roles
              .filter((role) => hasAll(`${role.displayName} ${role.key}`, wordsIn(order.role)))
              .map((role) => ({
                id: `give ${JSON.stringify([user.id, place.id, place.assignableIn?.id, role.key])}`,
                title: actions.give(personName(user), nameOf(role)),
                detail: actions.where(place.name, place.assignableIn?.name ?? "", user.preferredLoginName),
                go: { to: "/assignments", search: { create: toGive(user.id, place, role.key) } },
              })),
          ),
        );
    }
  }
}

/** What is picked in the dialog for a new assignment. */
function toGive(user: string, place: ListedProject, role: string): AssignmentsSearch["create"] {
  return { user, project: place.id, organization: place.assignableIn?.id ?? place.organizationId, role };
}
