import type { User } from "@authorization-service/client/directory";
import type { LinkOptions } from "@tanstack/react-router";
import type { Found } from "../pickers/found.ts";

export const kinds = ["people", "projects", "organizations", "roles", "assignments", "pages"] as const;

export type Kind = (typeof kinds)[number];

/** A result. */
export type Hit = {
  readonly title: string;
  /** What distinguishes it from others with the same title. People have more of that. */
  readonly detail: string;
  /** The person it is, and the name of the organization once it is known. */
  readonly person?: { readonly user: User; readonly organization: string | undefined };
  /** Where it leads, made by `linkOptions`, which checks it; or what it does. */
  readonly go: LinkOptions | (() => void);
};

/** The results of one kind. */
export type Hits = Omit<Found<Hit>, "retry">;

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
