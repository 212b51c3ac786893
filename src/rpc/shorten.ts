/** Shortens a message, because messages can repeat long input. */
export function shorten(message: string): string {
  return message.length <= 500 ? message : `${message.slice(0, 500).toWellFormed()}…`;
}
