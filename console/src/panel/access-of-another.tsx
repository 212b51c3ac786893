import { CallerService } from "@authorization-service/client";
import type { User } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { UserPicker } from "../pickers/things.tsx";
import { accessWords } from "../words/panel.ts";
import { Explanation } from "./explanation.tsx";

/** Shows whether a picked user sees an assignment, and what that user may do with it. */
export function AccessOfAnother({ id }: { id: string }) {
  const [user, setUser] = useState<User>();
  const { data, error, refetch } = useQuery(
    CallerService.method.explainAccess,
    { authorizationId: id, userId: user?.id ?? "" },
    { enabled: user !== undefined },
  );
  return (
    <div className="access-of-another">
      <UserPicker label={accessWords.ofAnother} value={user} onChange={setUser} />
      {error && <FailureNotice error={error} onRetry={() => void refetch()} />}
      {user && data && <Explanation answer={data} subject={{ name: user.displayName || user.id }} />}
    </div>
  );
}
