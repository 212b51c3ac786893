/** All that a process of Node gets of our environment: where programs are, and where Node keeps what it has compiled. */
export const bareEnvironment: NodeJS.ProcessEnv = {
  PATH: process.env.PATH ?? "",
  // Of what is undefined the process gets nothing.
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
};
