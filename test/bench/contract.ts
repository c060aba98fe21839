/** Validating and normalising alone: ours against the usual libraries with the same fields and checks. */

import { measure } from 'mitata';
import { normalise } from '../../src/contract/normalise.ts';
import { FULL_EVENT, SMALL_EVENT } from '../sample.ts';
import { ajvEvent } from './contracts/ajv.ts';
import { ARKTYPE_EVENT } from './contracts/arktype.ts';
import { toColumns } from './contracts/to-columns.ts';
import { ZOD_EVENT } from './contracts/zod.ts';
import { median } from './median.ts';

const ROUNDS = 5;

type Payload = Readonly<Record<string, unknown>>;

/** Each takes a payload to its columns, or to undefined when it breaks the contract. */
const CONTESTANTS: Readonly<Record<string, (payload: Payload) => object | undefined>> = {
  ours: (payload) => {
    const result = normalise(payload);
    return result.ok ? result.value.reservation : undefined;
  },
  'Zod 4': (payload) => {
    const result = ZOD_EVENT.safeParse(payload);
    return result.success ? toColumns(result.data) : undefined;
  },
  ArkType: (payload) => {
    const result = ARKTYPE_EVENT(payload);
    return ' arkKind' in result ? undefined : toColumns(result);
  },
  Ajv: (payload) => (ajvEvent(payload) ? toColumns(payload) : undefined),
};

const PAYLOADS: Readonly<Record<string, Payload>> = {
  'full event': FULL_EVENT,
  'smallest event': SMALL_EVENT,
  'refused event': { ...FULL_EVENT, EventType: 'Other' },
};

/** The median time of one event. */
export interface ContractResult {
  readonly library: string;
  readonly payload: string;
  readonly microseconds: number;
}

/** Measures every contestant with every payload, interleaved. */
export async function benchContract(progress: (done: number, total: number) => void): Promise<ContractResult[]> {
  const pairs = Object.entries(PAYLOADS).flatMap(([payload, event]) =>
    Object.entries(CONTESTANTS).map(([library, take]) => ({ library, payload, event, take, times: [] as number[] })),
  );
  for (const { library, payload, event, take } of pairs) {
    const accepted = take(event) !== undefined;
    if (accepted !== (payload !== 'refused event')) throw new Error(`${library} is wrong about the ${payload}`);
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { event, take, times }] of pairs.entries()) {
      // A copy each time, as JSON.parse makes one: the shape is the same and the object is new.
      const { p50 } = await measure(() => take({ ...event }), { min_cpu_time: 1e8 });
      times.push(p50 / 1_000);
      progress(round * pairs.length + at + 1, ROUNDS * pairs.length);
    }
  }
  return pairs.map(({ library, payload, times }) => ({ library, payload, microseconds: median(times) }));
}
