import type { ComponentProps } from "react";
import { Avatar } from "../parts/avatar.tsx";
import { PersonLink } from "../parts/links.tsx";

type User = ComponentProps<typeof Avatar>["user"] & ComponentProps<typeof PersonLink>["user"];

/** A person in a list: the picture and the name, which leads to the person's page. */
export function Person({ user }: { user: User }) {
  return (
    <span className="thing">
      <Avatar user={user} />
      <PersonLink user={user} />
    </span>
  );
}
