import type { PlacedChange } from "./change.ts";

/** Where the directory is kept. */
export type DirectoryStore = {
  /** Whether nothing was ever put into it. */
  isEmpty(): Promise<boolean>;

  /** The id of a user that may do everything everywhere, if there is one. */
  findInstanceOwner(): Promise<string | undefined>;

  /**
   * Applies any number of changes as one change of state: all or nothing, whatever their order. Appends
   * one event for each authorization it changes, made by nobody in particular.
   *
   * Throws the refusals DUPLICATE_CHANGE, REFERENCE_NOT_FOUND, ROLE_NOT_FOUND, ROLE_IN_USE,
   * GRANT_TO_OWNER, GRANT_EXISTS, IMMUTABLE_FIELD and AUTHORIZATION_EXISTS with the position of the change
   * in their metadata, and whatever the iteration of the changes throws.
   *
   * @param progress hears what is being done, in words for people
   * @returns the number of changes
   */
  import(changes: AsyncIterable<PlacedChange>, progress: (message: string) => void): Promise<number>;
};
