import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSession } from "./session.ts";

/** What the page for signing in shows afterwards. It is opened in a tab of its own when another tab waits for the person. */
export function SignedInHere({ isForAnotherTab }: { isForAnotherTab: boolean }) {
  const session = useSession();
  // Before that, the other tab has not got the session yet.
  const isShared = session.token !== undefined && session.user !== undefined;
  useEffect(() => {
    if (isForAnotherTab && isShared) window.close();
  }, [isForAnotherTab, isShared]);
  return (
    <section className="notice">
      <title>Signed in · Authorizations</title>
      <h1>You are signed in</h1>
      {isForAnotherTab && <p>Close this tab, and continue in the one where you were.</p>}
      <p>
        <Link to="/">Go to the assignments</Link>
      </p>
    </section>
  );
}
