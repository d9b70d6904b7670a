/**
 * Whether a node's zone label and a reservation's zone are the same place. Azure writes `1` in the reservation and
 * `eastus2-1` on the node (https://learn.microsoft.com/azure/aks/availability-zones), OCI puts a prefix of the tenancy
 * before the availability domain (`Uocm:PHX-AD-1`).
 */
export function isSameZone(ofReservation: string, ofNode: string | undefined): boolean {
  if (ofNode === undefined) return false;
  const wanted = ofReservation.toLowerCase();
  const has = ofNode.toLowerCase();
  return wanted === has || wanted.endsWith(`:${has}`) || (/^\d$/.test(wanted) && has.endsWith(`-${wanted}`));
}
