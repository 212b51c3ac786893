import type { User } from "@authorization-service/client/directory";
import type { AssignmentsSearch } from "../assignments/search.ts";

export const kinds = ["people", "projects", "organizations", "roles", "assignments", "pages"] as const;

export type Kind = (typeof kinds)[number];

/** Where results lead. */
export type Destination =
  | { readonly to: "/assignments"; readonly search: AssignmentsSearch }
  | { readonly to: "/person" | "/offboard" | "/project" | "/organization"; readonly search: { readonly id: string } }
  | { readonly to: "/account"; readonly search: { readonly open: "new-token" } }
  | { readonly to: "/compare"; readonly search: { readonly from: string; readonly to?: string } }
  | { readonly to: "/matrix"; readonly search: { readonly project: string } }
  | { readonly to: "/people" | "/projects" | "/organizations"; readonly search: { readonly open: true } }
  | { readonly to: "/role"; readonly search: { readonly project: string; readonly key: string } }
  | { readonly to: PagePath; readonly search: Record<never, never> };

export type PagePath =
  | "/"
  | "/assignments"
  | "/first-steps"
  | "/assign-list"
  | "/compare"
  | "/people"
  | "/projects"
  | "/organizations"
  | "/administrators"
  | "/account"
  | "/history"
  | "/overview";

/** A result. */
export type Hit = {
  /** Unique among all results. */
  readonly id: string;
  readonly title: string;
  /** What distinguishes it from others with the same title. People have more of that. */
  readonly detail: string;
  /** The person it is, and the name of the organization once it is known. */
  readonly person?: { readonly user: User; readonly organization: string | undefined };
  /** Where it leads, or what it does. */
  readonly go: Destination | (() => void);
};

/** The results of one kind. */
export type Hits = {
  readonly hits: readonly Hit[];
  /** Whether there are more than `hits`. */
  readonly isMore: boolean;
  readonly isAsking: boolean;
  readonly isFailed: boolean;
};

/** How many of each kind are shown. */
export const mostOfKind = 5;

const mostWords = 8;

/** The words of a text. Their order doesn't matter. */
export function wordsIn(text: string): readonly string[] {
  const cleaned = text.toWellFormed().replaceAll("\0", "").trim();
  return [...new Set(cleaned.split(/\s+/).filter(Boolean))].slice(0, mostWords);
}

/** Whether a text has every word, ignoring case. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLocaleLowerCase();
  return words.every((word) => lower.includes(word.toLocaleLowerCase()));
}
