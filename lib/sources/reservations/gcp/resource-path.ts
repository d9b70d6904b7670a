/** Where a resource lies, by its full or partial URL: `.../projects/P/zones/Z/reservations/NAME`. */
export interface ResourcePath {
  /** `projects/P/zones/Z/reservations/NAME`: stable, and the same in every API that names the resource. */
  readonly id: string;
  readonly project: string;
  readonly zone: string;
}

/** undefined where `url` names nothing in a zone. https://cloud.google.com/apis/design/resource_names */
export function resourcePath(url: string | undefined): ResourcePath | undefined {
  const match = /projects\/([^/]+)\/zones\/([^/]+)(?:\/[^?#]*)?$/.exec(url ?? "");
  const [id, project, zone] = match ?? [];
  if (id === undefined || project === undefined || zone === undefined) return undefined;
  return { id, project, zone };
}

/** The last part of a URL: `a4-highgpu-8g` of `.../machineTypes/a4-highgpu-8g`. */
export function lastPart(url: string): string {
  return url.slice(url.lastIndexOf("/") + 1);
}

/** `us-central1` of `us-central1-a`. https://cloud.google.com/compute/docs/regions-zones */
export function regionOfZone(zone: string): string {
  return zone.replace(/-[a-z]+$/, "");
}
