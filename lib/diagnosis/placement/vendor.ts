/** Words in the names of GPU models, labels and instance types, and the vendor whose device plugin serves them. */
const VENDORS: readonly (readonly [words: RegExp, prefix: string])[] = [
  [/amd|radeon|instinct|\bmi\d{2,3}[a-z]?\b/i, "amd.com"],
  [/habana|gaudi/i, "habana.ai"],
  [/\btpu/i, "google.com"],
  [/neuron|trainium|inferentia|\btrn\d|\binf\d/i, "aws.amazon.com"],
  [/intel|\bflex.?1\d0|\bmax.?1\d{3}/i, "gpu.intel.com"],
  [
    /nvidia|tesla|geforce|quadro|\b[rg]tx|10de|\b(gb|gh)\d{3}\b|\b[abhlptv]\d{1,3}[a-z]?\b|\bk80\b/i,
    "nvidia.com",
  ],
];

/** The prefix of the resource names (`nvidia.com`) of what `text` names; undefined where it names none known. */
export function vendorOf(text: string): string | undefined {
  return VENDORS.find(([words]) => words.test(text))?.[1];
}
