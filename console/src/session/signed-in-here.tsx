import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { useSession } from "./session.ts";

/** The sign-in page after signing in. It is opened in a separate tab if another tab waits for the person. */
export function SignedInHere({ isForAnotherTab }: { isForAnotherTab: boolean }) {
  const session = useSession();
  // Not earlier, because the other tab doesn't have the session yet.
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
