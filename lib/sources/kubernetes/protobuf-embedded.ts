/** The message whose fields lie in its parent's JSON, as those of Go's embedded structs do. */
export const EMBEDDED = "VolumeSource";
