/** What a person who runs a command did wrong or can do something about; shown without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
