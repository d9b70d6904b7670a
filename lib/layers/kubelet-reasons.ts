/**
 * Words that the kubelet and the container runtime put into `state.waiting.reason` and `state.terminated.reason`.
 * https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#container-states
 */

/** An image that does not arrive. https://kubernetes.io/docs/concepts/containers/images/ */
const IMAGE: ReadonlySet<string> = new Set([
  "ErrImagePull",
  "ImagePullBackOff",
  "InvalidImageName",
  "ErrImageNeverPull",
  "ImageInspectError",
  "RegistryUnavailable",
  "SignatureValidationFailed",
]);

/** A container that cannot be made or started as it is written. */
const CONFIG: ReadonlySet<string> = new Set([
  "CreateContainerConfigError",
  "CreateContainerError",
  "RunContainerError",
  "PreCreateHookError",
  "PreStartHookError",
  "PostStartHookError",
  "ContainerCannotRun",
  "StartError",
]);

/** Whether `reason` says that the container's image cannot be pulled. */
export function isImageReason(reason: string): boolean {
  return IMAGE.has(reason);
}

/** Whether `reason` says that the container cannot be made or started. */
export function isConfigReason(reason: string): boolean {
  return CONFIG.has(reason);
}
