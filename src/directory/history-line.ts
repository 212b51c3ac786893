/** What a line of an import file can be about, in addition to changes: events as they were, and what was removed. */
export type HistoryLine = {
  readonly kind: "event" | "directoryEvent" | "removedThing";
  /** The object under that name. Its fields are those of docs/reference/import-format.md, and all of them are set. */
  readonly json: string;
};

/** A line and its number, from 1. */
export type PlacedHistoryLine = { readonly position: number; readonly history: HistoryLine };

/** Thrown if a history can't be imported as it is. The message is for people. */
export class HistoryRefused extends Error {
  override readonly name = "HistoryRefused";
  /** The number of the line, if it is about one. */
  readonly position: string | undefined;

  constructor(message: string, position?: string) {
    super(message);
    this.position = position;
  }
}
