import { generate } from "selfsigned";

/** A certificate that this machine's clients can trust, and its key, in PEM. */
export type Identity = { readonly cert: string; readonly key: string };

export async function newIdentity(name = "localhost"): Promise<Identity> {
  const { cert, private: key } = await generate([{ name: "commonName", value: name }], {
    keyType: "ec",
    algorithm: "sha256",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      {
        name: "subjectAltName",
        altNames: [
          { type: 2, value: "localhost" },
          { type: 7, ip: "127.0.0.1" },
        ],
      },
    ],
  });
  return { cert, key };
}
