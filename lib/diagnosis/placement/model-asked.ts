import { shortModel } from "../../model/instance-types.ts";
import type { NodeSelectorRequirement } from "../../model/kubernetes.ts";

const MODEL_KEY = /(gpu\.product|gke-accelerator|instance-gpu-name|sku-gpu-name|(^|\/)accelerator)$/;

/**
 * Whether a requirement on a label that names the GPU model is met by machines with `model`; undefined where it is on
 * another label, or does not list models.
 */
export function meetsModel(requirement: NodeSelectorRequirement, model: string): boolean | undefined {
  if (!MODEL_KEY.test(requirement.key) || requirement.operator !== "In") return undefined;
  const name = shortModel(model).toUpperCase();
  return requirement.values.some((value) => shortModel(value).toUpperCase() === name);
}
