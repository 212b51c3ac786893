import {
  createBrowserHistory,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  parseSearchWith,
  type RouteComponent,
  type RouterHistory,
  redirect,
  stringifySearchWith,
} from "@tanstack/react-router";
import { readAdministratorsSearch } from "./administrators/search.ts";
import { AssignmentsPage } from "./assignments/assignments-page.tsx";
import { readAssignmentsSearch } from "./assignments/search.ts";
import { readNamedListSearch, readRoleSearch, readTexts, readThingSearch } from "./directory/search.ts";
import { Frame, NothingHere } from "./frame.tsx";
import type { HistorySearch } from "./history/search.ts";
import type { MatrixSearch } from "./matrix/cells.ts";
import { readOverviewSearch } from "./overview/search.ts";
import { StartPage } from "./overview/start-page.tsx";
import { BrokenView } from "./parts/broken-view.tsx";

type Written = Record<string, unknown>;

const root = createRootRoute({ component: Frame, notFoundComponent: NothingHere });

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  // The table was here: links to it still lead there.
  beforeLoad: ({ search }: { search: Written }) => {
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

/**
 * The page that the OpenID Connect issuer sends people back to. While no one is signed in,
 * console/src/session/sign-in.tsx shows it.
 */
const signedIn = createRoute({ getParentRoute: () => root, path: "/signed-in", component: NothingHere });

/** A page that is loaded when it is opened, with what it reads from the address. */
function page<const Path extends string, Search, Name extends string>(
  path: Path,
  validateSearch: (written: Written) => Search,
  load: () => Promise<Record<Name, RouteComponent>>,
  name: Name,
) {
  const component = lazyRouteComponent(load, name);
  return createRoute({ getParentRoute: () => root, path, validateSearch, component });
}

const readFirstSteps = (written: Written): { organization?: string; project?: string } =>
  readTexts(written, ["organization", "project"]);
const readCompared = (written: Written): { from?: string; to?: string } => readTexts(written, ["from", "to"]);
const readAccount = ({ open }: Written): { open?: "new-token" } => (open === "new-token" ? { open } : {});
// These pages read it, so the first view doesn't load what that takes.
const asWritten = <Search,>(written: Written) => written as Search;

const routeTree = root.addChildren([
  start,
  assignments,
  signedIn,
  page("/history", asWritten<HistorySearch>, () => import("./history/history-page.tsx"), "HistoryPage"),
  page("/overview", readOverviewSearch, () => import("./overview/overview-page.tsx"), "OverviewPage"),
  page("/people", readNamedListSearch, () => import("./people/people-page.tsx"), "PeoplePage"),
  page("/person", readThingSearch, () => import("./person/person-page.tsx"), "PersonPage"),
  page("/projects", readNamedListSearch, () => import("./projects/projects-page.tsx"), "ProjectsPage"),
  page("/project", readThingSearch, () => import("./project/project-page.tsx"), "ProjectPage"),
  page("/role", readRoleSearch, () => import("./role/role-page.tsx"), "RolePage"),
  page(
    "/organizations",
    readNamedListSearch,
    () => import("./organizations/organizations-page.tsx"),
    "OrganizationsPage",
  ),
  page("/organization", readThingSearch, () => import("./organization/organization-page.tsx"), "OrganizationPage"),
  page(
    "/administrators",
    readAdministratorsSearch,
    () => import("./administrators/administrators-page.tsx"),
    "AdministratorsPage",
  ),
  page("/add-people", readFirstSteps, () => import("./add-people/add-people-page.tsx"), "AddPeoplePage"),
  page(
    "/assign-list",
    () => ({}),
    () => import("./assign-list/assign-list-page.tsx"),
    "AssignListPage",
  ),
  page("/compare", readCompared, () => import("./compare/compare-page.tsx"), "ComparePage"),
  page("/matrix", asWritten<MatrixSearch>, () => import("./matrix/matrix-page.tsx"), "MatrixPage"),
  page("/offboard", readThingSearch, () => import("./offboard/offboard-page.tsx"), "OffboardPage"),
  page("/first-steps", readFirstSteps, () => import("./first-steps/first-steps-page.tsx"), "FirstStepsPage"),
  page("/account", readAccount, () => import("./account/account-page.tsx"), "AccountPage"),
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

/**
 * Reads a value in an address as JSON if it clearly is JSON. Anything else is a plain text, such as the id 1e3, because
 * people who write links by hand don't quote.
 */
function readValue(text: string): unknown {
  const isJson = /^[[{"]/.test(text) || text === "true" || String(Number.parseInt(text, 10)) === text;
  if (isJson) return JSON.parse(text);
  throw new SyntaxError("a text");
}

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof consoleRouter>;
  }
}
