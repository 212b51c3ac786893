/** Which of gRPC's own services are served. */
export type StandardOptions = { readonly health: boolean; readonly reflection: boolean };
