import { CallerService } from "@authorization-service/client";
import { useQuery } from "@connectrpc/connect-query";
import { lazy, Suspense, useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { panelWords, accessWords as words } from "../words/panel.ts";
import { Explanation } from "./explanation.tsx";

const AccessOfAnother = lazy(async () => ({ default: (await import("./access-of-another.tsx")).AccessOfAnother }));

/**
 * Why the caller sees an assignment, and what they may do with it. Callers who may read there can also ask about
 * others.
 */
export function Access({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(CallerService.method.explainAccess, { authorizationId: id });
  const [isAboutAnother, setAboutAnother] = useState(false);
  const mayRead = data?.permissions.some(({ permission, held }) => permission === "user.grant.read" && held);
  return (
    <section>
      <h3>{words.title}</h3>
      {error ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <p className="muted">{panelWords.loading}</p>
      ) : (
        <Explanation answer={data} subject="you" />
      )}
      {mayRead && !isAboutAnother && (
        <button type="button" onClick={() => setAboutAnother(true)}>
          {words.another}
        </button>
      )}
      {isAboutAnother && (
        <Suspense>
          <AccessOfAnother id={id} />
        </Suspense>
      )}
    </section>
  );
}
