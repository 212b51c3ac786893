import { DirectoryService, type User, UserSchema } from "@authorization-service/client/directory";
import { create } from "@bufbuild/protobuf";
import { useQuery } from "@connectrpc/connect-query";
import { useState } from "react";
import { UserPicker, UsersPicker } from "../../pickers/user-picker.tsx";
import type { IdFieldProps } from "./id-field.tsx";
import type { ListFieldProps } from "./list-field.tsx";

/** A user by its id. */
export function UserField({ label, id, problem, onChange }: IdFieldProps) {
  const { users, know } = useUsers(id === "" ? [] : [id]);
  return (
    <UserPicker
      label={label}
      value={users[0]}
      problem={problem}
      onChange={(user) => {
        know(user === undefined ? [] : [user]);
        onChange(user?.id ?? "");
      }}
    />
  );
}

/** Users by their ids. */
export function UsersField({ label, list, problem, onChange }: ListFieldProps) {
  const { users, know } = useUsers(list);
  return (
    <UsersPicker
      label={label}
      value={users}
      problem={problem}
      onChange={(picked) => {
        know(picked);
        onChange(picked.map((user) => user.id));
      }}
    />
  );
}

/** The known users with these ids: those just picked, and those that the service finds. */
function useUsers(ids: readonly string[]) {
  const [picked, know] = useState<readonly User[]>([]);
  const unknown = ids.filter((id) => !picked.some((user) => user.id === id));
  const { data } = useQuery(
    DirectoryService.method.listUsers,
    { filters: [{ filter: { case: "ids", value: { ids: unknown } } }], pagination: { skipTotal: true } },
    { enabled: unknown.length > 0 },
  );
  const known = [...picked, ...(data?.users ?? [])];
  return { users: ids.map((id) => known.find((user) => user.id === id) ?? create(UserSchema, { id })), know };
}
