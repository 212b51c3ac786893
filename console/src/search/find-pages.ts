import { useCaller } from "../caller.ts";
import { everywhere, mayAddProjectSomewhere, mayChange, maySomewhere } from "../directory/rights.ts";
import { signOut } from "../session/issuer-sign-in.ts";
import { accountWords } from "../words/account.ts";
import { assignListWords } from "../words/assign-list.ts";
import { compareWords } from "../words/compare.ts";
import { namedChangeWords, personChangeWords } from "../words/directory-changes.ts";
import { frameWords } from "../words/frame.ts";
import { searchWords } from "../words/search.ts";
import { tokenWords } from "../words/tokens.ts";
import {
  toAssignments,
  toHistory,
  toNewAssignment,
  toNewPerson,
  toNewProject,
  toNewToken,
  toPage,
} from "./destinations.ts";
import { type Hit, type Hits, hasAll } from "./hits.ts";

/** Pages and actions. Without words, all of them. */
export function usePages(words: readonly string[], onKeys: () => void): Hits {
  const caller = useCaller();
  const mayCreate = maySomewhere(caller, "user.grant.write");
  const { pages, actions } = searchWords;
  const page = (title: string, go: Hit["go"]) => ({ id: `page ${title}`, title, detail: searchWords.page, go });
  const action = (title: string, go: Hit["go"]) => ({ id: `action ${title}`, title, detail: searchWords.action, go });
  const all = [
    page(pages.assignments, toAssignments),
    page(frameWords.people, toPage("/people")),
    page(frameWords.projects, toPage("/projects")),
    page(frameWords.organizations, toPage("/organizations")),
    page(frameWords.administrators, toPage("/administrators")),
    page(pages.history, toHistory),
    page(pages.overview, toPage("/overview")),
    page(accountWords.title, toPage("/account")),
    ...(mayChange(caller, "directory.write", everywhere) ? [page(pages.firstSteps, toPage("/first-steps"))] : []),
    ...(mayCreate
      ? [action(actions.create, toNewAssignment), action(assignListWords.title, toPage("/assign-list"))]
      : []),
    action(mayCreate ? compareWords.open : compareWords.title, toPage("/compare")),
    ...(maySomewhere(caller, "user.write") ? [action(personChangeWords.add, toNewPerson)] : []),
    ...(mayAddProjectSomewhere(caller) ? [action(namedChangeWords.addProject, toNewProject)] : []),
    action(tokenWords.createTitle, toNewToken),
    action(actions.keys, onKeys),
    action(actions.signOut, () => void signOut()),
  ];
  const hits = all.filter(({ title }) => hasAll(title, words));
  return { hits, isMore: false, isAsking: false, isFailed: false };
}
