import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  type RouterHistory,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { readValue } from "./address.ts";
import { readAdministratorsSearch } from "./administrators/search.ts";
import { AssignmentsPage } from "./assignments/assignments-page.tsx";
import { readAssignmentsSearch } from "./assignments/search.ts";
import { readNamedListSearch, readRoleSearch, readTexts, readThingSearch } from "./directory/search.ts";
import { Frame, NothingHere } from "./frame.tsx";
import type { HistorySearch } from "./history/search.ts";
import type { MatrixSearch } from "./matrix/search.ts";
import { readOverviewSearch } from "./overview/search.ts";
import { StartPage } from "./overview/start-page.tsx";
import { BrokenView } from "./parts/broken-view.tsx";
import { SignedInHere } from "./session/signed-in-here.tsx";

const root = createRootRoute({ component: Frame, notFoundComponent: NothingHere });

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  // The table was here: links to it still lead there.
  beforeLoad: ({ search }: { search: Record<string, unknown> }) => {
    const kept = readAssignmentsSearch(search);
    if (Object.keys(kept).length > 0) throw redirect({ to: "/assignments", search: kept, replace: true });
  },
  component: StartPage,
});

const assignments = createRoute({
  getParentRoute: () => root,
  path: "/assignments",
  validateSearch: readAssignmentsSearch,
  component: AssignmentsPage,
});

const assignList = createRoute({
  getParentRoute: () => root,
  path: "/assign-list",
  component: lazyRouteComponent(() => import("./assign-list/assign-list-page.tsx"), "AssignListPage"),
});

const compare = createRoute({
  getParentRoute: () => root,
  path: "/compare",
  validateSearch: (search: Record<string, unknown>): { from?: string; to?: string } =>
    readTexts(search, ["from", "to"]),
  component: lazyRouteComponent(() => import("./compare/compare-page.tsx"), "ComparePage"),
});

const matrix = createRoute({
  getParentRoute: () => root,
  path: "/matrix",
  validateSearch: (search: Record<string, unknown>): MatrixSearch => search,
  component: lazyRouteComponent(() => import("./matrix/matrix-page.tsx"), "MatrixPage"),
});

const history = createRoute({
  getParentRoute: () => root,
  path: "/history",
  // The page reads it, so the first view doesn't load what that takes.
  validateSearch: (search: Record<string, unknown>): HistorySearch => search,
  component: lazyRouteComponent(() => import("./history/history-page.tsx"), "HistoryPage"),
});

const overview = createRoute({
  getParentRoute: () => root,
  path: "/overview",
  validateSearch: readOverviewSearch,
  component: lazyRouteComponent(() => import("./overview/overview-page.tsx"), "OverviewPage"),
});

const people = createRoute({
  getParentRoute: () => root,
  path: "/people",
  validateSearch: readNamedListSearch,
  component: lazyRouteComponent(() => import("./people/people-page.tsx"), "PeoplePage"),
});

const person = createRoute({
  getParentRoute: () => root,
  path: "/person",
  validateSearch: readThingSearch,
  component: lazyRouteComponent(() => import("./person/person-page.tsx"), "PersonPage"),
});

const projects = createRoute({
  getParentRoute: () => root,
  path: "/projects",
  validateSearch: readNamedListSearch,
  component: lazyRouteComponent(() => import("./projects/projects-page.tsx"), "ProjectsPage"),
});

const project = createRoute({
  getParentRoute: () => root,
  path: "/project",
  validateSearch: readThingSearch,
  component: lazyRouteComponent(() => import("./project/project-page.tsx"), "ProjectPage"),
});

const role = createRoute({
  getParentRoute: () => root,
  path: "/role",
  validateSearch: readRoleSearch,
  component: lazyRouteComponent(() => import("./role/role-page.tsx"), "RolePage"),
});

const organizations = createRoute({
  getParentRoute: () => root,
  path: "/organizations",
  validateSearch: readNamedListSearch,
  component: lazyRouteComponent(() => import("./organizations/organizations-page.tsx"), "OrganizationsPage"),
});

const organization = createRoute({
  getParentRoute: () => root,
  path: "/organization",
  validateSearch: readThingSearch,
  component: lazyRouteComponent(() => import("./organization/organization-page.tsx"), "OrganizationPage"),
});

const administrators = createRoute({
  getParentRoute: () => root,
  path: "/administrators",
  validateSearch: readAdministratorsSearch,
  component: lazyRouteComponent(() => import("./administrators/administrators-page.tsx"), "AdministratorsPage"),
});

const addPeople = createRoute({
  getParentRoute: () => root,
  path: "/add-people",
  validateSearch: (search: Record<string, unknown>): { organization?: string; project?: string } =>
    readTexts(search, ["organization", "project"]),
  component: lazyRouteComponent(() => import("./add-people/add-people-page.tsx"), "AddPeoplePage"),
});

const offboard = createRoute({
  getParentRoute: () => root,
  path: "/offboard",
  validateSearch: readThingSearch,
  component: lazyRouteComponent(() => import("./offboard/offboard-page.tsx"), "OffboardPage"),
});

const firstSteps = createRoute({
  getParentRoute: () => root,
  path: "/first-steps",
  validateSearch: (search: Record<string, unknown>): { organization?: string; project?: string } =>
    readTexts(search, ["organization", "project"]),
  component: lazyRouteComponent(() => import("./first-steps/first-steps-page.tsx"), "FirstStepsPage"),
});

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  validateSearch: ({ open }: Record<string, unknown>): { open?: "new-token" } => (open === "new-token" ? { open } : {}),
  component: lazyRouteComponent(() => import("./account/account-page.tsx"), "AccountPage"),
});

/** The page for signing in in a separate tab, while another tab keeps the person's work. */
const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  validateSearch: ({ close }: Record<string, unknown>) => (close === true ? { close } : {}),
  component: function SignInPage() {
    return <SignedInHere isForAnotherTab={signIn.useSearch().close === true} />;
  },
});

/**
 * The page that the OpenID Connect issuer sends people back to. While no one is signed in,
 * console/src/session/sign-in.tsx shows it.
 */
const signedIn = createRoute({ getParentRoute: () => root, path: "/signed-in", component: NothingHere });

const routeTree = root.addChildren([
  start,
  assignments,
  history,
  overview,
  people,
  person,
  projects,
  project,
  role,
  organizations,
  organization,
  administrators,
  addPeople,
  assignList,
  compare,
  matrix,
  offboard,
  firstSteps,
  account,
  signIn,
  signedIn,
]);

/** The addresses of the console. A view's parameters are in the address, so a link shows the same. */
export function consoleRouter(addresses: RouterHistory = createBrowserHistory()) {
  return createRouter({
    routeTree,
    history: addresses,
    parseSearch: parseSearchWith(readValue),
    stringifySearch: stringifySearchWith(JSON.stringify, readValue),
    defaultPreload: "intent",
    scrollRestoration: false,
    // The views themselves show what the service refuses.
    defaultErrorComponent: BrokenView,
  });
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof consoleRouter>;
  }
}
