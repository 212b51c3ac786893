import { createPrivateKey, type KeyObject, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createSecureContext } from "node:tls";

/** A certificate, with those of its authorities, and its key, both in PEM. */
type KeyPair = { readonly cert: Buffer; readonly key: Buffer };

type Log = { info(details: object, message: string): void; error(details: object, message: string): void };

export type Tls = Awaited<ReturnType<typeof openTls>>;

/** How often the files are read, in milliseconds. */
const everyMs = 5_000;

/**
 * Reads the certificate and the key that clients see, and reads them again every few seconds: a file can be replaced in
 * many ways, for example by Kubernetes, which exchanges a link to its folder. Watching it would miss some of them.
 */
export async function openTls(certFile: string, keyFile: string) {
  const keyPair = await readKeyPair(certFile, keyFile);
  return {
    keyPair,
    /** Passes on each new pair until the signal aborts. A pair that can't be used is logged, and the old one stays. */
    follow(use: (keyPair: KeyPair) => void, log: Log, until: AbortSignal): void {
      let current = keyPair;
      let logged: string | undefined;
      const look = async () => {
        try {
          const found = await readKeyPair(certFile, keyFile);
          logged = undefined;
          if (found.cert.equals(current.cert) && found.key.equals(current.key)) return;
          use(found);
          current = found;
          log.info({ certificate: certFile }, "loaded the new TLS certificate");
        } catch (error) {
          const { message } = error as Error;
          if (message !== logged) log.error({ reason: message }, "can't load the TLS certificate: the old one stays");
          logged = message;
        }
      };
      const looking = setInterval(look, everyMs).unref();
      until.addEventListener("abort", () => clearInterval(looking));
    },
  };
}

/** Throws an error that names the variable, and says what is wrong with its file. */
async function readKeyPair(certFile: string, keyFile: string): Promise<KeyPair> {
  const [cert, key] = await Promise.all([read("TLS_CERT_FILE", certFile), read("TLS_KEY_FILE", keyFile)]);
  const certificate = parse("TLS_CERT_FILE", "a certificate", () => new X509Certificate(cert));
  const secret: KeyObject = parse("TLS_KEY_FILE", "a private key without a password", () => createPrivateKey(key));
  if (!certificate.checkPrivateKey(secret)) throw new Error("TLS_KEY_FILE: isn't the key of TLS_CERT_FILE");
  // The rest of the chain, and the length of the key.
  parse("TLS_CERT_FILE", "certificates that OpenSSL accepts", () => createSecureContext({ cert, key }));
  return { cert, key };
}

async function read(name: string, file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new Error(`${name}: can't be read: ${(error as Error).message}`);
  }
}

function parse<T>(name: string, what: string, parsed: () => T): T {
  try {
    return parsed();
  } catch (error) {
    throw new Error(`${name}: must hold ${what}, in PEM: ${(error as Error).message}`);
  }
}
