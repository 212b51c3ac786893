import { CallerService } from "@authorization-service/client";
import { DirectoryService } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { withId } from "../directory/requests.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { createWords } from "../words/create.ts";
import { CreateForm } from "./create-form.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { assignableIn } from "./offered-roles.ts";

type Props = {
  /** The ids that are already picked. Invalid ones are ignored. */
  preset: NonNullable<AssignmentsSearch["create"]>;
  /** Called to open an existing assignment instead. */
  onOpen: (id: string) => void;
  onClose: () => void;
};

/** Creates an assignment. */
export function CreateDialog({ preset, onOpen, onClose }: Props) {
  const user = useQuery(DirectoryService.method.listUsers, preset.user === undefined ? skipToken : withId(preset.user));
  const place = useQuery(
    DirectoryService.method.listProjects,
    preset.project === undefined || preset.organization === undefined
      ? skipToken
      : assignableIn([preset.project], preset.organization),
  );
  const organization = useFirstOrganization(preset);
  // Keeps what is already known even if asking again fails, because the form contains the person's input.
  const failed = [user, place].find(({ data, error }) => error && !data);
  if (failed || user.isLoading || place.isLoading || organization.isLoading) {
    return (
      <DialogFrame title={createWords.title} onClose={onClose}>
        {failed ? (
          <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />
        ) : (
          <p role="status">{createWords.lookingUp}</p>
        )}
      </DialogFrame>
    );
  }
  const picked = {
    users: user.data?.users.slice(0, 1) ?? [],
    place: place.data?.projects[0],
    organization: organization.data?.organizations[0],
    role: preset.role,
    hasOrganization: preset.organization !== undefined,
  };
  return <CreateForm picked={picked} onOpen={onOpen} onClose={onClose} />;
}

/** The organization that the link names, otherwise the reader's own. */
function useFirstOrganization(preset: Props["preset"]) {
  const caller = useQuery(CallerService.method.getCaller, {});
  const id = preset.organization ?? caller.data?.user?.organizationId;
  const organization = useQuery(DirectoryService.method.listOrganizations, id ? withId(id) : skipToken);
  return {
    ...organization,
    isLoading: organization.isLoading || (preset.organization === undefined && caller.isLoading),
  };
}
