const NAMES: Readonly<Record<string, string>> = {
  aws: "AWS",
  gcp: "GCP",
  azure: "Azure",
  oci: "OCI",
  crusoe: "Crusoe",
  nebius: "Nebius",
};

/** A provider as it writes itself; one that is not known as it was given. */
export function providerName(provider: string): string {
  return NAMES[provider.toLowerCase()] ?? provider;
}
