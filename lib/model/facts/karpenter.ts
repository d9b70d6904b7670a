import type { FactObject } from "./fact-object.ts";

/** https://karpenter.sh/docs/concepts/nodepools/ (also Provisioner, its name before v1beta1) */
export interface NodePoolRecord extends FactObject {}

/** https://karpenter.sh/docs/concepts/nodeclaims/ */
export interface NodeClaimRecord extends FactObject {}

/** EC2NodeClass, AKSNodeClass, EKS NodeClass and those of other providers. https://karpenter.sh/docs/concepts/nodeclasses/ */
export interface NodeClassRecord extends FactObject {}
