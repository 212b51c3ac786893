import type { User } from "@authorization-service/client";
import { useState } from "react";
import { settings } from "../settings.ts";
import { locale } from "../words/language/language.ts";

/** The fields that all messages for users have in common. */
type Pictured = Pick<User, "id" | "preferredLoginName" | "displayName" | "avatarUrl">;

/** A user's picture if it comes from an allowed origin, otherwise the initials. The name is next to it. */
export function Avatar({ user }: { user: Pictured }) {
  const [isBroken, setBroken] = useState(false);
  if (isAllowed(user.avatarUrl) && !isBroken) {
    return (
      <img
        className="avatar"
        src={user.avatarUrl}
        alt=""
        loading="lazy"
        decoding="async"
        referrerPolicy="no-referrer"
        onError={() => setBroken(true)}
      />
    );
  }
  return (
    <span className="avatar" aria-hidden="true">
      {initials(user.displayName || user.preferredLoginName || user.id)}
    </span>
  );
}

function isAllowed(url: string): boolean {
  return URL.canParse(url) && settings.avatarOrigins.includes(new URL(url).origin);
}

/** The first letters of the first and the last word. */
export function initials(name: string): string {
  const words = name.split(/[\s@.]+/).filter(Boolean);
  const letters = [words[0], words.length > 1 ? words.at(-1) : undefined].map((word) => [...(word ?? "")][0] ?? "");
  return letters.join("").toLocaleUpperCase(locale);
}
