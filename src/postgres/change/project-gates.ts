/**
 * Advisory locks that are taken before the locks on projects: shared by requests, and exclusive by directory changes
 * that take something away. Shared row locks overtake a waiting exclusive one, on a busy project forever. At a gate,
 * everyone is served in order of arrival. Only the rows decide, so a change may leave out gates.
 *
 * There are 4096 gates, so any number of projects can be locked at once.
 */
export const projectGates = 720_638_140;

/** How many gates a directory change may close: no more than 1.6% of other projects wait for it. */
export const mostClosedGates = 64;

/** The gate of the project whose id the expression gives. Depends on a secret, so no one can pick ids that share one. */
export const gateOf = (id: string) =>
  `(hashtextextended(${id}::text, (select gate_salt from database_secrets)) & 4095)::integer`;
