import { AuthorizationService, type GetCallerResponse } from "@authorization-service/client";
import { DirectoryService, type ListedProject, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { linkOptions } from "@tanstack/react-router";
import { useMemo } from "react";
import { placeName, userName } from "../changes/assignment-name.ts";
import { lookUps } from "../directory/look-ups.ts";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { withWords } from "../directory/requests.ts";
import { isPlain, maySomewhere } from "../directory/rights.ts";
import { personName } from "../parts/links.tsx";
import { nameOf as roleNameOf } from "../parts/role-chips.tsx";
import { pickables } from "../pickers/things.tsx";
import { type Order, orderIn } from "../words/orders.ts";
import { searchWords } from "../words/search.ts";
import { type Hit, type Hits, hasAll, mostOfKind, wordsIn } from "./hits.ts";

const { actions, around } = searchWords;

// The search finds what the fields find that pick people, projects and organizations.

export function usePeople(words: readonly string[]): Hits {
  const { nameOf, useFound } = pickables.user;
  const { items, ...found } = useFound(words.join(" "), words.length > 0);
  const organizationOf = useNamesOfOrganizations(items);
  const hits = items.map((user) => ({
    ...{ title: nameOf(user), detail: user.preferredLoginName },
    person: { user, organization: organizationOf(user) },
    go: linkOptions({ to: "/person", search: { id: user.id } }),
  }));
  return { ...found, items: hits };
}

export function useNamed(kind: "project" | "organization", words: readonly string[]): Hits {
  const { items, ...found } = pickables[kind].useFound(words.join(" "), words.length > 0);
  const hits = items.map(({ id, name }) => ({
    ...{ title: name || id, detail: "" },
    go: linkOptions({ to: `/${kind}`, search: { id } }),
  }));
  return { ...found, items: hits };
}

/** Assignments have no names, so they are found only by their whole ids. */
export function useAssignments([word, ...others]: readonly string[]): Hits {
  const isId = word !== undefined && others.length === 0;
  const { data, isFetching, error } = useQuery(
    AuthorizationService.method.listAuthorizations,
    isId
      ? {
          filters: [{ filter: { case: "authorizationIds", value: { ids: [word] } } }],
          pagination: { limit: mostOfKind, skipTotal: true },
        }
      : skipToken,
  );
  const hits = (data?.authorizations ?? []).map((one) => ({
    ...{ title: searchWords.assignmentOf(userName(one)), detail: placeName(one) },
    go: linkOptions({ to: "/assignments", search: { id: one.id } }),
  }));
  return { items: hits, isMore: false, isAsking: isFetching, error };
}

/** The API finds no roles by name, so those of this many projects are searched here. */
const mostProjects = 100;

/**
 * Roles by their names, keys and projects. `searchedProjects` is the number of projects whose roles were searched, if
 * there are more projects.
 */
export function useRoles(words: readonly string[]): Hits & { readonly searchedProjects: number | undefined } {
  const { data, isFetching, error } = useQuery(
    DirectoryService.method.listProjects,
    words.length === 0 ? skipToken : { pagination: { limit: mostProjects, skipTotal: true } },
    // Roles rarely change, and each letter would ask for all of them again.
    { staleTime: 60_000 },
  );
  const items = useMemo(
    () =>
      (data?.projects ?? []).flatMap(({ id, name, roles }): Hit[] =>
        roles
          .map((role) => ({ role, own: `${role.displayName} ${role.key}` }))
          // The project's name alone would find every role of it.
          .filter(({ own }) => words.some((word) => hasAll(own, [word])) && hasAll(`${own} ${name} ${around}`, words))
          .map(({ role }) => ({
            title: roleNameOf(role),
            detail: searchWords.roleIn(name || id),
            go: linkOptions({ to: "/role", search: { project: id, key: role.key } }),
          })),
      ),
    [data, words],
  );
  return {
    ...{ items, isMore: false, isAsking: isFetching && data === undefined, error },
    searchedProjects: data?.pagination?.nextPageToken ? data.projects.length : undefined,
  };
}

/** Few enough of each that the results for a sentence fit together. */
const pagination = { limit: 3, skipTotal: true };

/** What a sentence asks for, such as “give Ann the role seller in Shop”. */
export function useActions(text: string, caller: GetCallerResponse | undefined): Hits {
  const order = orderIn(text.trim());
  const { person, other, project }: { person?: string; other?: string; project?: string } = order ?? {};
  const users = pickables.user.useFound(person ?? "", person !== undefined);
  const others = pickables.user.useFound(other ?? "", other !== undefined);
  const { items: projects = [], query } = lookUps.project.useList(
    { filters: withWords(project ?? ""), pagination, assignable: order?.what === "give" },
    { enabled: project !== undefined, placeholderData: keepPreviousData },
  );
  const mayAssign = maySomewhere(caller, "user.grant.write");
  const offboard = mayAssign || maySomewhere(caller, "user.write");
  // The others compare what others have.
  const may: Partial<Record<Order["what"], boolean>> = { changes: true, give: mayAssign, offboard };
  const isOffered = order && (may[order.what] ?? !isPlain(caller));
  const hits = isOffered ? hitsOf(order, users.items, others.items, projects) : [];
  return {
    ...{ items: hits.slice(0, mostOfKind), isMore: hits.length > mostOfKind },
    isAsking: users.isAsking || others.isAsking || query.isFetching,
    error: users.error ?? others.error ?? query.error,
  };
}

/** Where the sentences about one person lead. */
const aboutOne = {
  same: (from: string) => linkOptions({ to: "/compare", search: { from } }),
  changes: (actor: string) => linkOptions({ to: "/history", search: { actor } }),
  offboard: (id: string) => linkOptions({ to: "/offboard", search: { id } }),
};

export function hitsAbout(what: keyof typeof aboutOne, users: readonly User[]): Hit[] {
  return users.map((user) => ({
    ...{ title: actions[what](personName(user)), detail: user.preferredLoginName },
    go: aboutOne[what](user.id),
  }));
}

type Users = readonly User[];

function hitsOf(order: Order, users: Users, others: Users, projects: readonly ListedProject[]): Hit[] {
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
    case "changes":
    case "offboard":
      return hitsAbout(order.what, users);
    case "matrix":
      return projects.map(({ id, name }) => ({
        ...{ title: actions.matrix(name), detail: searchWords.action },
        go: linkOptions({ to: "/matrix", search: { project: id } }),
      }));
    case "give":
      return users.flatMap((user) =>
        projects.flatMap((place) =>
          place.roles
            .filter((role) => hasAll(`${role.displayName} ${role.key}`, wordsIn(order.role)))
            .map((role) => ({
              title: actions.give(personName(user), roleNameOf(role)),
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
