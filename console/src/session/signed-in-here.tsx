import { Link } from "@tanstack/react-router";
import { useEffect } from "react";
import { signInWords } from "../words/session.ts";
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
      <title>{signInWords.signedInTitle}</title>
      <h1>{signInWords.signedIn}</h1>
      {isForAnotherTab && <p>{signInWords.closeTab}</p>}
      <p>
        <Link to="/assignments">{signInWords.toAssignments}</Link>
      </p>
    </section>
  );
}
