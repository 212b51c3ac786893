/** An error that the person who runs a command can fix. It is shown without a stack. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
