import { readFile } from "node:fs/promises";
import { z } from "zod";
import type { AuditEvent } from "./rig.ts";

/** https://kubernetes.io/docs/reference/config-api/apiserver-audit.v1/#audit-k8s-io-v1-Event */
const auditEvent = z.object({
  auditID: z.string(),
  stage: z.string(),
  verb: z.string(),
  requestURI: z.string(),
  user: z.object({ username: z.string() }),
  objectRef: z.object({ resource: z.string().optional(), apiGroup: z.string().optional() }).optional(),
  responseStatus: z.object({ code: z.number().optional() }).optional(),
});

/**
 * What an API server has written down under audit-policy.yaml, oldest first. A watch is logged when it begins and when
 * it ends: it is one event here.
 */
export async function readAuditLog(file: string): Promise<readonly AuditEvent[]> {
  const lines = (await readFile(file, "utf8")).split("\n");
  // The last line may be half written.
  const entries = lines.slice(0, -1).map((line) => auditEvent.parse(JSON.parse(line)));
  const requests = new Map<string, AuditEvent>();
  for (const { auditID, stage, verb, requestURI, user, objectRef, responseStatus } of entries) {
    const { resource = "", apiGroup } = objectRef ?? {};
    requests.set(auditID, {
      verb,
      resource: apiGroup ? `${resource}.${apiGroup}` : resource,
      user: user.username,
      uri: requestURI,
      code: stage === "ResponseStarted" ? undefined : responseStatus?.code,
    });
  }
  return [...requests.values()];
}
