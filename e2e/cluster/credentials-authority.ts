import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { RigError } from "./rig.ts";

/** A certificate authority of a test's own. */
export interface Authority {
  /** Path of its certificate, PEM. */
  readonly certificate: string;
  /**
   * Issues a client certificate, over an earlier one of the same name.
   *
   * @param user whom the API server sees: https://kubernetes.io/docs/reference/access-authn-authz/authentication/#x509-client-certificates
   * @param days how long it is good for; 0: not beyond the second in which it is issued
   */
  issue(user: string, days: number): Promise<{ readonly certificate: string; readonly key: string }>;
}

const KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];

/**
 * Makes an authority in `folder`, with the machine's OpenSSL.
 *
 * @throws RigError where there is none.
 */
export async function createAuthority(folder: string, name: string): Promise<Authority> {
  const file = (base: string, extension: string) => join(folder, `${base}.${extension}`);
  const certificate = file(name, "crt");
  const key = file(name, "key");
  await openssl(
    "req",
    "-x509",
    ...KEY,
    "-subj",
    `/CN=${name}`,
    "-days",
    "2",
    "-keyout",
    key,
    "-out",
    certificate,
  );
  return {
    certificate,
    issue: async (user, days) => {
      const issued = { certificate: file(user, "crt"), key: file(user, "key") };
      const request = file(user, "csr");
      const signed = [
        "-CA",
        certificate,
        "-CAkey",
        key,
        "-set_serial",
        String(Date.now()),
        "-days",
        String(days),
      ];
      await openssl("req", ...KEY, "-subj", `/CN=${user}`, "-keyout", issued.key, "-out", request);
      await openssl("x509", "-req", "-in", request, ...signed, "-out", issued.certificate);
      return issued;
    },
  };
}

async function openssl(...args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)("openssl", args);
  } catch (cause) {
    if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
    throw new RigError("Client certificates are issued with `openssl`, and there is none on the PATH.", {
      cause,
    });
  }
}
