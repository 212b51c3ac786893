import { Link, Outlet, useLocation, useMatches, useSearch } from "@tanstack/react-router";
import { Search } from "lucide-react";
import { lazy, Suspense, useDeferredValue, useState } from "react";
import { useCaller } from "./caller.ts";
import { NotFound } from "./directory/not-found.tsx";
import { isPlain } from "./directory/rights.ts";
import { keysOf, useShortcut } from "./keyboard/shortcuts.ts";
import { Announcements } from "./parts/announcements.tsx";
import { Avatar } from "./parts/avatar.tsx";
import { KeptView } from "./parts/kept-view.tsx";
import { useKeptFocus } from "./parts/use-kept-focus.ts";
import { type Session, useSession } from "./session/session.ts";
import { signOut } from "./session/signing-in.ts";
import { Undo } from "./undo/undo.tsx";
import { frameWords } from "./words/frame.ts";
import { partWords } from "./words/parts.ts";

const SearchDialog = lazy(async () => ({ default: (await import("./search/search-dialog.tsx")).SearchDialog }));
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
  return (
    <div className="frame">
      <header className="frame-header">
        <a className="visually-hidden" href="#view">
          {frameWords.skip}
        </a>
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
      <Announcements />
    </div>
  );
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

const views = [
  ["/assignments", frameWords.assignments],
  ["/people", frameWords.people],
  ["/projects", frameWords.projects],
  ["/organizations", frameWords.organizations],
  ["/administrators", frameWords.administrators],
  ["/history", frameWords.history],
  ["/overview", frameWords.overview],
] as const;

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
      {views
        .filter(([to]) => !isOwnOnly || to === "/history")
        .map(([to, name]) => (
          <Link
            key={to}
            to={to}
            search={(to === "/assignments" || to === "/overview") && pathname !== to ? kept : {}}
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
  return <NotFound title={frameWords.notFound} advice={frameWords.notFoundAdvice} />;
}

/** What is on every page: undoing the last change, and the search. */
function FrameTools() {
  const [search, setSearch] = useState<{ typed: string; opener: HTMLElement }>();
  const open = () => setSearch((now) => now ?? { typed: "", opener: document.activeElement as HTMLElement });
  useShortcut("search", open);
  // Until the dialog is loaded, this keeps what is typed: it must not reach what is behind.
  const early = (
    <input
      ref={(field) => field?.focus()}
      style={{ position: "fixed", opacity: 0 }}
      aria-label={partWords.search}
      onChange={({ target }) => setSearch((now) => now && { ...now, typed: target.value })}
    />
  );
  return (
    <>
      <Undo />
      <button
        type="button"
        className="frame-search"
        aria-haspopup="dialog"
        title={`${partWords.search} (${keysOf("search")})`}
        onClick={open}
      >
        <Search aria-hidden="true" />
        <span className="tool-label">{partWords.search}</span>
      </button>
      <Suspense fallback={early}>
        {search && <SearchDialog {...search} onClose={() => setSearch(undefined)} />}
      </Suspense>
    </>
  );
}

function SignedIn() {
  const user = useCaller()?.user;
  return (
    <div className="line frame-caller">
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
