import { generate } from "selfsigned";

/** A certificate and its key, in PEM. */
export type Identity = { readonly cert: string; readonly key: string };

type Extensions = NonNullable<NonNullable<Parameters<typeof generate>[1]>["extensions"]>;

const authority = { name: "basicConstraints", cA: true, critical: true } as const;

/** One that this machine's clients can trust. */
export function newIdentity(name = "localhost"): Promise<Identity> {
  const altNames = [{ type: 2, value: "localhost" } as const, { type: 7, ip: "127.0.0.1" } as const];
  return makeIdentity(name, [authority, { name: "subjectAltName", altNames }]);
}

/** One that signs others. */
export function newAuthority(name: string): Promise<Identity> {
  return makeIdentity(name, [authority, { name: "keyUsage", keyCertSign: true, critical: true }]);
}

export async function makeIdentity(name: string, extensions: Extensions, ca?: Identity): Promise<Identity> {
  const options = { keyType: "ec", algorithm: "sha256", extensions, ...(ca && { ca }) } as const;
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], options);
  return { cert, key };
}
