import { DirectoryService } from "@authorization-service/client/directory";
import { useQuery } from "@connectrpc/connect-query";
import { useCaller } from "../caller.ts";
import { everywhere, mayChange } from "../directory/rights.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { consequenceWords } from "../words/directory-changes.ts";
import type { Change } from "./use-change.ts";
import { ofDryRun } from "./use-request.ts";

/** How many assignments follow a change, as a dry run counts them: those that the reader sees. */
export function Consequences({ changes }: { changes: readonly Change[] }) {
  const words = mayChange(useCaller(), "user.grant.read", everywhere)
    ? consequenceWords.ofAll
    : consequenceWords.ofSeen;
  const query = useQuery(
    DirectoryService.method.applyChanges,
    { changes: [...changes], dryRun: true },
    { meta: ofDryRun },
  );
  const { data, error, refetch } = query;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <p role="status">{consequenceWords.counting}</p>;
  const { authorizations, tokensMayStay } = data;
  const changed = authorizations.filter((place) => place.changed > 0);
  const removed = authorizations.filter((place) => place.removed > 0);
  return (
    <div role="status">
      {changed.length > 0 && (
        <p>{words.changes(sumOf(changed.map((place) => place.changed)), organizationsIn(changed))}</p>
      )}
      {removed.length > 0 && (
        <p>{words.removes(sumOf(removed.map((place) => place.removed)), organizationsIn(removed))}</p>
      )}
      {authorizations.length === 0 && <p>{words.none}</p>}
      {tokensMayStay && <p>{consequenceWords.tokensMayStay}</p>}
    </div>
  );
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0);
}

function organizationsIn(places: readonly { readonly organizationId: string }[]): number {
  return new Set(places.map(({ organizationId }) => organizationId)).size;
}
