import type { KubernetesObject } from "../../../lib/testing/api-server/kubernetes-object.ts";
import type { Api } from "../api.ts";
import { until } from "../until.ts";

const ROLE = "/apis/rbac.authorization.k8s.io/v1/clusterroles/system:controller:generic-garbage-collector";
const COLLECTOR = "system:serviceaccount:kube-system:generic-garbage-collector";

const PATIENCE = 30_000;

/**
 * Takes the right to delete from the garbage collector, where one of the objects names an owner that is not among them:
 * it would go at once. https://kubernetes.io/docs/concepts/architecture/garbage-collection/
 */
export async function keepOrphans(api: Api, objects: readonly KubernetesObject[]): Promise<void> {
  const uids = new Set(objects.map(({ metadata }) => metadata.uid));
  if (objects.every((object) => ownersOf(object).every(({ uid }) => uids.has(uid)))) return;
  // Else the API server gives the right back when it starts again.
  const annotations = { "rbac.authorization.kubernetes.io/autoupdate": "false" };
  const rules = [{ apiGroups: ["*"], resources: ["*"], verbs: ["get", "list", "watch"] }];
  await api.send("PATCH", ROLE, { metadata: { annotations }, rules }, "application/merge-patch+json");
  const mayNot = async () => !(await mayDelete(api)) || undefined;
  await until(mayNot, `${COLLECTOR} to have no right to delete pods`, PATIENCE);
}

function ownersOf({ metadata }: KubernetesObject): readonly { readonly uid?: unknown }[] {
  return Array.isArray(metadata.ownerReferences) ? metadata.ownerReferences : [];
}

/** https://kubernetes.io/docs/reference/kubernetes-api/authorization-resources/subject-access-review-v1/ */
async function mayDelete(api: Api): Promise<boolean> {
  const { status } = await api.send<{ status: { allowed: boolean } }>(
    "POST",
    "/apis/authorization.k8s.io/v1/subjectaccessreviews",
    {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user: COLLECTOR, resourceAttributes: { verb: "delete", resource: "pods" } },
    },
  );
  return status.allowed;
}
