import { z } from "zod";
import { stuckShape } from "@/lib/client/wire-schema.ts";
import type { DiagnosisView, NodeDetailView, PodDetailView } from "@/lib/model/detail-view.ts";
import { LAYERS, STAGES } from "@/lib/model/stages.ts";

const text = z.string();
const textOrNull = z.string().nullable();
const count = z.int().nonnegative();
const objectRef = z.object({ kind: text, namespace: text.exactOptional(), name: text });
const evidence = z.array(z.object({ object: objectRef, field: textOrNull, value: text, at: textOrNull }));

/** `GET /api/nodes/NAME` as the browser accepts it. */
export const nodeDetailSchema: z.ZodType<NodeDetailView> = z.object({
  name: text,
  pool: textOrNull,
  poolName: textOrNull,
  instanceType: textOrNull,
  zone: textOrNull,
  providerId: textOrNull,
  model: textOrNull,
  createdAt: textOrNull,
  ready: z.object({ ready: z.boolean(), reason: text, message: text, since: textOrNull }),
  blocked: z.object({ by: text, since: textOrNull }).nullable(),
  gpus: z.object({
    physical: count,
    physicalFrom: text,
    advertised: count,
    allocatable: count,
    requested: count,
  }),
  matchedBy: textOrNull,
  past: z.object({ id: text, name: text, until: textOrNull }).nullable(),
  stages: z.array(
    z.object({ stage: z.enum(STAGES.map((info) => info.stage)), layer: z.enum(LAYERS), gpus: count }),
  ),
  holders: z.array(z.object({ namespace: text, name: text, node: text, gpus: count })),
  conditions: evidence,
  taints: z.array(text),
  resources: z.array(
    z.object({ name: text, capacity: textOrNull, allocatable: textOrNull, requested: text }),
  ),
  events: evidence,
});

/** `GET /api/pods/NAMESPACE/NAME` as the browser accepts it. */
export const podDetailSchema: z.ZodType<PodDetailView> = z.object({
  namespace: text,
  name: text,
  phase: text,
  node: textOrNull,
  owner: objectRef.nullable(),
  createdAt: textOrNull,
  gpus: count,
  requests: z.array(z.object({ name: text, amount: text })),
  containers: z.array(z.object({ name: text, image: text, state: text, restarts: count })),
  conditions: evidence,
  events: evidence,
  verdict: stuckShape.nullable(),
});

/** `GET /api/diagnosis` as the browser accepts it. */
export const diagnosisSchema: z.ZodType<DiagnosisView> = stuckShape.extend({
  logs: z.array(z.object({ container: text, previous: z.boolean(), text, problem: textOrNull })).nullable(),
});
