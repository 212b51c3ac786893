import type { ListedProject, User } from "@authorization-service/client/directory";
import { keepPreviousData } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import { useCaller } from "../caller.ts";
import { lookUps } from "../directory/look-ups.ts";
import { withWords } from "../directory/requests.ts";
import { maySomewhere } from "../directory/rights.ts";
import { personName } from "../parts/links.tsx";
import { nameOf } from "../parts/role-chips.tsx";
import { askingOf } from "../pickers/found.ts";
import { type Order, orderIn } from "../words/orders.ts";
import { searchWords } from "../words/search.ts";
import { type Hit, type Hits, hasAll, mostOfKind, wordsIn } from "./hits.ts";

const { actions, action } = searchWords;

/** Few enough of each that the results for a sentence fit together. */
const pagination = { limit: 3, skipTotal: true };

/** What a sentence asks for, such as “give Ann the role seller in Shop”. */
export function useActions(text: string): Hits {
  const caller = useCaller();
  const order = orderIn(text.trim());
  const { person, other, project }: { person?: string; other?: string; project?: string } = order ?? {};
  const asked = (name = "") => ({ filters: withWords(name), pagination });
  const shown = (name: string | undefined) => ({ enabled: name !== undefined, placeholderData: keepPreviousData });
  const users = lookUps.user.useList(asked(person), shown(person));
  const others = lookUps.user.useList(asked(other), shown(other));
  const projects = lookUps.project.useList({ ...asked(project), assignable: order?.what === "give" }, shown(project));
  const mayAssign = maySomewhere(caller, "user.grant.write");
  const may = {
    ...{ matrix: true, same: true, compare: true, give: mayAssign },
    offboard: mayAssign || maySomewhere(caller, "user.write"),
  };
  const found = { users: users.items ?? [], others: others.items ?? [], projects: projects.items ?? [] };
  const hits = order && may[order.what] ? hitsOf(order, found) : [];
  return {
    ...{ items: hits.slice(0, mostOfKind), isMore: hits.length > mostOfKind },
    ...askingOf([users.query, others.query, projects.query]),
  };
}

type Things = { users: readonly User[]; others: readonly User[]; projects: readonly ListedProject[] };

function hitsOf(order: Order, { users, others, projects }: Things): Hit[] {
  switch (order.what) {
    case "compare":
      return users.flatMap((user) =>
        others
          .filter(({ id }) => id !== user.id)
          .map((another) => ({
            title: actions.compare(personName(user), personName(another)),
            detail: `${user.preferredLoginName}, ${another.preferredLoginName}`,
            go: linkOptions({ to: "/compare", search: { from: user.id, to: another.id } }),
          })),
      );
    case "same":
      return users.map((user) => ({
        ...{ title: actions.same(personName(user)), detail: user.preferredLoginName },
        go: linkOptions({ to: "/compare", search: { from: user.id } }),
      }));
    case "offboard":
      return users.map((user) => ({
        ...{ title: actions.offboard(personName(user)), detail: user.preferredLoginName },
        go: linkOptions({ to: "/offboard", search: { id: user.id } }),
      }));
    case "matrix":
      return projects.map(({ id, name }) => ({
        ...{ title: actions.matrix(name), detail: action },
        go: linkOptions({ to: "/matrix", search: { project: id } }),
      }));
    case "give":
      return users.flatMap((user) =>
        projects.flatMap((place) =>
          place.roles
            .filter((role) => hasAll(`${role.displayName} ${role.key}`, wordsIn(order.role)))
            .map((role) => ({
              title: actions.give(personName(user), nameOf(role)),
              detail: actions.where(place.name, place.assignableIn?.name ?? "", user.preferredLoginName),
              go: linkOptions({ to: "/assignments", search: { create: toGive(user.id, place, role.key) } }),
            })),
        ),
      );
  }
}

/** What is picked in the dialog for a new assignment. */
function toGive(user: string, { id, assignableIn, organizationId }: ListedProject, role: string) {
  return { user, project: id, organization: assignableIn?.id ?? organizationId, role };
}
