import { AuthorizationService, TextFilterMethod } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import { keepPreviousData } from "@tanstack/react-query";
import { placeName, userName } from "../changes/assignment-name.ts";
import { useNamesOfOrganizations } from "../directory/organization-names.ts";
import { withWords } from "../directory/requests.ts";
import { exactFirst } from "../pickers/found.ts";
import { askedById, idOf, nameOf } from "../pickers/named.tsx";
import { searchWords } from "../words/search.ts";
import { toAssignment, toOrganization, toPerson, toProject } from "./destinations.ts";
import { type Hits, mostOfKind } from "./hits.ts";

const pagination = { limit: mostOfKind, skipTotal: true };
const shown = { placeholderData: keepPreviousData };

function named(words: readonly string[]) {
  return words.length === 0 ? skipToken : { filters: withWords(words.join(" ")), pagination };
}

/** A single word may be a whole id or login name, which also find people that the caller doesn't see. */
function exact<Request>(words: readonly string[], requestFor: (word: string) => Request): Request | typeof skipToken {
  const [word] = words;
  return word === undefined || words.length > 1 ? skipToken : requestFor(word);
}

export function usePeople(words: readonly string[]): Hits {
  const { listUsers } = DirectoryService.method;
  const similar = useQuery(listUsers, named(words), shown);
  const byId = useQuery(listUsers, exact(words, askedById));
  const byLogin = useQuery(
    listUsers,
    exact(words, (word) => {
      const value = { text: word, method: TextFilterMethod.EQUALS };
      return { filters: [{ filter: { case: "preferredLoginName" as const, value } }], pagination };
    }),
  );
  const users = exactFirst([byId.data?.users, byLogin.data?.users], similar.data?.users);
  const organizationOf = useNamesOfOrganizations(users);
  return {
    hits: users.map((user) => ({
      id: `person ${user.id}`,
      title: user.displayName || user.preferredLoginName || user.id,
      detail: user.preferredLoginName,
      person: { user, organization: organizationOf(user) },
      go: toPerson(user.id),
    })),
    ...stateOf([similar, byId, byLogin]),
  };
}

export function useProjects(words: readonly string[]): Hits {
  const { listProjects } = DirectoryService.method;
  const similar = useQuery(listProjects, named(words), shown);
  const byId = useQuery(listProjects, exact(words, askedById));
  const projects = exactFirst([byId.data?.projects], similar.data?.projects);
  return {
    hits: projects.map((project) => ({
      id: `project ${idOf(project)}`,
      title: nameOf(project),
      detail: "",
      go: toProject(project.id),
    })),
    ...stateOf([similar, byId]),
  };
}

export function useOrganizations(words: readonly string[]): Hits {
  const { listOrganizations } = DirectoryService.method;
  const similar = useQuery(listOrganizations, named(words), shown);
  const byId = useQuery(listOrganizations, exact(words, askedById));
  const organizations = exactFirst([byId.data?.organizations], similar.data?.organizations);
  return {
    hits: organizations.map((organization) => ({
      id: `organization ${idOf(organization)}`,
      title: nameOf(organization),
      detail: "",
      go: toOrganization(organization.id),
    })),
    ...stateOf([similar, byId]),
  };
}

/** Assignments have no names, so they are found only by their whole ids. */
export function useAssignments(words: readonly string[]): Hits {
  const query = useQuery(
    AuthorizationService.method.listAuthorizations,
    exact(words, (word) => ({
      filters: [{ filter: { case: "authorizationIds" as const, value: { ids: [word] } } }],
      pagination,
    })),
  );
  return {
    hits: (query.data?.authorizations ?? []).map((one) => ({
      id: `assignment ${one.id}`,
      title: searchWords.assignmentOf(userName(one)),
      detail: placeName(one),
      go: toAssignment(one.id),
    })),
    ...stateOf([query]),
  };
}

type Asked = {
  readonly data?: { readonly pagination?: { readonly nextPageToken: string } | undefined } | undefined;
  readonly isFetching: boolean;
  readonly error: unknown;
};

function stateOf(queries: readonly Asked[]): Omit<Hits, "hits"> {
  return {
    isMore: queries.some(({ data }) => (data?.pagination?.nextPageToken ?? "") !== ""),
    isAsking: queries.some(({ isFetching }) => isFetching),
    isFailed: queries.some(({ error }) => error !== null),
  };
}
