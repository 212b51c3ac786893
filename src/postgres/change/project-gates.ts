/**
 * The advisory locks that stand before the locks on projects: shared by requests, held alone by changes of the directory
 * that take something away. Whoever shares a row lock passes whoever waits to hold it alone, for ever on a busy project;
 * at a gate everybody goes in the order of coming. There are 1024, so that any number of projects can go at once.
 */
export const projectGates = 720_638_140;
