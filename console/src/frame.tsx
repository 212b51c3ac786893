import {
  Link,
  Outlet,
  type ParsedLocation,
  useLocation,
  useMatches,
  useRouter,
  useSearch,
} from "@tanstack/react-router";
import { lazy, Suspense, useDeferredValue } from "react";
import { useCaller } from "./caller.ts";
import { isPlain } from "./directory/rights.ts";
import { FrameTools } from "./frame-tools.tsx";
import { Announcements } from "./parts/announcements.tsx";
import { Avatar } from "./parts/avatar.tsx";
import { KeptView } from "./parts/kept-view.tsx";
import { useKeptFocus } from "./parts/use-kept-focus.ts";
import { signOut } from "./session/issuer-sign-in.ts";
import { type Session, useSession } from "./session/session.ts";
import { frameWords } from "./words/frame.ts";

const SignIn = lazy(async () => ({ default: (await import("./session/sign-in.tsx")).SignIn }));

/** The view, or the sign-in page. The address stays for later, and so does the view of a session that has ended. */
export function Frame() {
  const session = useSession();
  useKeptFocus();
  const isSignedIn = session.token !== undefined;
  return (
    <>
      {(isSignedIn || session.keptFor !== undefined) && (
        <KeptView key={session.view} isShown={isSignedIn}>
          <Framed />
        </KeptView>
      )}
      {!isSignedIn && <SignedOut session={session} />}
    </>
  );
}

/** The frame around every view. */
function Framed() {
  // The view follows in the background, in short steps, so the browser can paint and react in between.
  const hasView = useDeferredValue(true, false);
  const router = useRouter();
  const page = useLocation({ select: pageAt });
  return (
    <div className="frame">
      <a className="skip-link" href="#view">
        {frameWords.skip}
      </a>
      <header className="frame-header">
        <Link to="/" className="frame-name">
          {frameWords.product}
        </Link>
        <Views />
        <FrameTools />
        <SignedIn />
      </header>
      <main id="view" tabIndex={-1}>
        {hasView && <Outlet />}
      </main>
      <Announcements page={page} destination={() => pageAt(router.latestLocation)} />
    </div>
  );
}

/** The page at an address. The table remains the same page with other filters or a panel; other pages are about what the address names. */
function pageAt({ pathname, searchStr }: Pick<ParsedLocation, "pathname" | "searchStr">): string {
  return pathname === "/assignments" ? pathname : pathname + searchStr;
}

function SignedOut({ session }: { session: Session & { token: undefined } }) {
  // At an unknown address only the frame matches. Saying so doesn't require signing in.
  const isUnknown = useMatches({ select: (matches) => matches.length === 1 });
  if (isUnknown) {
    return (
      <main>
        <NothingHere />
      </main>
    );
  }
  return (
    <Suspense>
      <SignIn {...session} />
    </Suspense>
  );
}

/** The view that leads to a page about one of what it lists. */
const viewOfPage: Partial<Record<string, string>> = {
  "/person": "/people",
  "/add-people": "/people",
  "/assign-list": "/assignments",
  "/compare": "/people",
  "/matrix": "/projects",
  "/offboard": "/people",
  "/project": "/projects",
  "/role": "/projects",
  "/organization": "/organizations",
};

const viewsOfAll = [["/history", frameWords.history]] as const;
const views = [
  ["/assignments", frameWords.assignments],
  ["/people", frameWords.people],
  ["/projects", frameWords.projects],
  ["/organizations", frameWords.organizations],
  ["/administrators", frameWords.administrators],
  ...viewsOfAll,
  ["/overview", frameWords.overview],
] as const;
/** The views with the same filters. */
const filtered: readonly string[] = ["/assignments", "/overview"];

/** The links keep the filters between the table and the overview. A link to the current view resets it. */
function Views() {
  const { filters } = useSearch({ strict: false });
  const kept = filters === undefined ? {} : { filters };
  const pathname = useLocation({ select: (location) => location.pathname });
  // The other views list what others have.
  const isOwnOnly = isPlain(useCaller());
  return (
    <nav aria-label={frameWords.views}>
      {isOwnOnly && (
        <Link to="/" activeOptions={{ includeSearch: false, exact: true }}>
          {frameWords.ownAccess}
        </Link>
      )}
      {(isOwnOnly ? viewsOfAll : views).map(([to, name]) => (
        <Link
          key={to}
          to={to}
          search={filtered.includes(to) && pathname !== to ? kept : {}}
          activeOptions={{ includeSearch: false }}
          {...(viewOfPage[pathname] === to && { "aria-current": "true" })}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}

/** The page for unknown addresses. */
export function NothingHere() {
  return (
    <section className="notice">
      <title>{frameWords.notFoundTitle}</title>
      <h1>{frameWords.notFound}</h1>
      <p>{frameWords.notFoundAdvice}</p>
      <p>
        <Link to="/assignments">{frameWords.toAssignments}</Link>
      </p>
    </section>
  );
}

function SignedIn() {
  const user = useCaller()?.user;
  return (
    <div className="frame-caller">
      {user && (
        <>
          <Avatar user={user} />
          <Link
            to="/account"
            title={user.preferredLoginName}
            aria-label={frameWords.account(user.displayName || user.id)}
          >
            <bdi>{user.displayName || user.id}</bdi>
          </Link>
        </>
      )}
      <button type="button" className="plain" onClick={() => void signOut()}>
        {frameWords.signOut}
      </button>
    </div>
  );
}
