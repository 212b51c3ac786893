/**
 * Advisory locks that are taken before the locks on projects: shared by requests, and exclusive by directory changes
 * that take something away. Shared row locks overtake a waiting exclusive one, on a busy project forever. At a gate,
 * everyone is served in order of arrival. There are 1024 gates, so any number of projects can be locked at once.
 */
export const projectGates = 720_638_140;
