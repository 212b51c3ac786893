import { DirectoryService, type ListedProject, type User } from "@authorization-service/client/directory";
import { skipToken, useQuery } from "@connectrpc/connect-query";
import type { AssignmentsSearch } from "../assignments/search.ts";
import { FailureNotice } from "../parts/failure-notice.tsx";
import { CreateForm } from "./create-form.tsx";
import { DialogFrame } from "./dialog-frame.tsx";
import { assignableIn } from "./offered-roles.ts";

type Props = {
  /** What is picked already, by id. What cannot be picked is left to pick. */
  preset: NonNullable<AssignmentsSearch["create"]>;
  /** Opens an assignment instead. */
  onOpen: (id: string) => void;
  onClose: () => void;
};

/** Makes a new assignment. */
export function CreateDialog({ preset, onOpen, onClose }: Props) {
  const user = useQuery(DirectoryService.method.listUsers, preset.user === undefined ? skipToken : withId(preset.user));
  const place = useQuery(
    DirectoryService.method.listProjects,
    preset.project === undefined || preset.organization === undefined
      ? skipToken
      : assignableIn([preset.project], preset.organization),
  );
  const error = user.error ?? place.error;
  if (error || user.isLoading || place.isLoading) {
    return (
      <DialogFrame title="New assignment" onClose={onClose}>
        {error ? <FailureNotice error={error} /> : <p role="status">Looking up what the link names…</p>}
      </DialogFrame>
    );
  }
  const picked: { user: User | undefined; place: ListedProject | undefined } = {
    user: user.data?.users[0],
    place: place.data?.projects[0],
  };
  return <CreateForm picked={picked} onOpen={onOpen} onClose={onClose} />;
}

function withId(id: string) {
  return { filters: [{ filter: { case: "ids" as const, value: { ids: [id] } } }] };
}
