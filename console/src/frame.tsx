import { Link, Outlet, useLocation, useSearch } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { useCaller } from "./caller.ts";
import { Announcements } from "./parts/announcements.tsx";
import { Avatar } from "./parts/avatar.tsx";
import { useKeptFocus } from "./parts/use-kept-focus.ts";
import { signOut } from "./session/issuer-sign-in.ts";
import { useSession } from "./session/session.ts";

const SignIn = lazy(async () => ({ default: (await import("./session/sign-in.tsx")).SignIn }));

/** What stands around every view. Without a session it asks to sign in and keeps the address for afterwards. */
export function Frame() {
  const session = useSession();
  useKeptFocus();
  if (session.token === undefined) {
    return (
      <Suspense>
        <SignIn ending={session.ending} problem={session.problem} />
      </Suspense>
    );
  }
  return (
    <div className="frame">
      <a className="skip-link" href="#view">
        Skip to the content
      </a>
      <header className="frame-header">
        <span className="frame-name">Authorizations</span>
        <Views />
        <SignedIn />
      </header>
      <main id="view" tabIndex={-1}>
        <Outlet />
      </main>
      <Announcements />
    </div>
  );
}

/** The table and the overview show the same filters; going to the view in use begins it anew. */
function Views() {
  const { filters } = useSearch({ strict: false });
  const kept = filters === undefined ? {} : { filters };
  const isOverview = useLocation({ select: ({ pathname }) => pathname === "/overview" });
  return (
    <nav aria-label="Views">
      <Link to="/" search={isOverview ? kept : {}} activeOptions={{ includeSearch: false, exact: true }}>
        Assignments
      </Link>
      <Link to="/history" activeOptions={{ includeSearch: false }}>
        History
      </Link>
      <Link to="/overview" search={isOverview ? {} : kept} activeOptions={{ includeSearch: false }}>
        Overview
      </Link>
    </nav>
  );
}

/** What an address shows that no view has. */
export function NothingHere() {
  return (
    <section className="notice">
      <h1>There is nothing at this address</h1>
      <p>
        <Link to="/">Go to the assignments</Link>
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
          <bdi title={user.preferredLoginName}>{user.displayName || user.id}</bdi>
        </>
      )}
      <button type="button" onClick={() => void signOut()}>
        Sign out
      </button>
    </div>
  );
}
