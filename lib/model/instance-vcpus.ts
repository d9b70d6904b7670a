/** Sizes of AWS, where `NxLARGE` has four vCPUs for each N. */
const AWS_SIZE = /^[a-z][\w-]*\.(?:(\d+)?xlarge|(large))$/;

/** GCP: vCPUs for one GPU of families whose name counts GPUs. */
const GCP_BY_GPUS = /^(a2-(?:highgpu|ultragpu)|a3-highgpu)-(\d+)g$/;
const GCP_PER_GPU: Readonly<Record<string, number>> = {
  "a2-highgpu": 12,
  "a2-ultragpu": 12,
  "a3-highgpu": 26,
};
const GCP_WHOLE: Readonly<Record<string, number>> = {
  "a2-megagpu-16g": 96,
  "a3-megagpu-8g": 208,
  "a3-ultragpu-8g": 224,
  "a4-highgpu-8g": 224,
  "a4x-highgpu-4g": 140,
};

/**
 * vCPUs that the name of an instance type tells; undefined where it does not, as for bare metal and flexible shapes.
 * https://aws.amazon.com/ec2/instance-types/ https://cloud.google.com/compute/docs/gpus
 * https://learn.microsoft.com/en-us/azure/virtual-machines/vm-naming-conventions
 */
export function vcpusOf(instanceType: string): number | undefined {
  const aws = AWS_SIZE.exec(instanceType);
  if (aws) return aws[2] === undefined ? 4 * Number(aws[1] ?? 1) : 2;
  const counted = GCP_BY_GPUS.exec(instanceType);
  if (counted) return (GCP_PER_GPU[counted[1] ?? ""] ?? 0) * Number(counted[2]);
  const whole = GCP_WHOLE[instanceType];
  if (whole !== undefined) return whole;
  const named = /^[a-z]\w*-(?:standard|highmem|highcpu)-(\d+)$/.exec(instanceType);
  if (named) return Number(named[1]);
  const azure = /^Standard_[A-Z]+?(\d+)(?:-\d+)?[a-z]*(?:_|$)/.exec(instanceType);
  return azure ? Number(azure[1]) : undefined;
}
