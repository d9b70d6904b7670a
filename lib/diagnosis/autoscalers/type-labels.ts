import { type InstanceType, shortModel } from "../../model/instance-types.ts";
import { vcpusOf } from "../../model/instance-vcpus.ts";
import type { Labels } from "../../model/kubernetes.ts";
import { vendorOf } from "../placement/vendor.ts";

/**
 * Labels that a node of this instance type gets from Karpenter, as far as its name and the table tell them.
 * https://karpenter.sh/docs/reference/instance-types/ and each provider's own label reference.
 */
export function labelsOfType(type: InstanceType): Labels {
  const name = type.instanceType;
  return {
    "node.kubernetes.io/instance-type": name,
    "beta.kubernetes.io/instance-type": name,
    ...ofProvider(type),
  };
}

function ofProvider(type: InstanceType): Labels {
  const name = type.instanceType;
  const model = type.gpuModel.toLowerCase();
  const vcpus = vcpusOf(name);
  const cpu = (key: string): Labels => (vcpus === undefined ? {} : { [key]: String(vcpus) });
  switch (type.provider) {
    case "aws": {
      const [family = "", size = ""] = name.split(".");
      const labels = {
        "instance-family": family,
        "instance-size": size,
        "instance-category": /^[a-z]+/.exec(family)?.[0] ?? "",
        "instance-generation": /\d+/.exec(family)?.[0] ?? "",
        ...cpu("instance-cpu"),
        ...gpuLabels(type, model, "instance-"),
      };
      return { ...prefixed("karpenter.k8s.aws/", labels), ...prefixed("eks.amazonaws.com/", labels) };
    }
    case "azure":
      return prefixed("karpenter.azure.com/", {
        "sku-name": name,
        "sku-family": /^Standard_([A-Z])/.exec(name)?.[1] ?? "",
        ...cpu("sku-cpu"),
        ...gpuLabels(type, shortModel(type.gpuModel), "sku-"),
      });
    case "gcp":
      return {
        ...prefixed("karpenter.k8s.gcp/", {
          "instance-family": name.split("-")[0] ?? "",
          ...cpu("instance-cpu"),
          ...gpuLabels(type, model, "instance-"),
        }),
        "cloud.google.com/machine-family": name.split("-")[0] ?? "",
        "cloud.google.com/gke-accelerator": model,
      };
    default:
      return {};
  }
}

/** Neuron devices are called accelerators, the others GPUs. */
function gpuLabels(type: InstanceType, name: string, prefix: string): Labels {
  const maker = vendorOf(type.gpuModel) === "aws.amazon.com" ? "aws" : makerOf(type);
  const what = maker === "aws" ? "accelerator" : "gpu";
  return {
    [`${prefix}${what}-name`]: name,
    [`${prefix}${what}-count`]: String(Math.max(1, Math.floor(type.gpus))),
    ...(maker === undefined ? {} : { [`${prefix}${what}-manufacturer`]: maker }),
  };
}

function makerOf(type: InstanceType): string | undefined {
  return vendorOf(type.gpuModel)?.split(".").at(-2);
}

function prefixed(prefix: string, labels: Labels): Labels {
  return Object.fromEntries(Object.entries(labels).map(([key, value]) => [prefix + key, value]));
}
