// SPDX-License-Identifier: Apache-2.0
// Fifty pools of forty workers that post a frame each second, as engines without ZeroMQ would.
import { setTimeout } from 'node:timers/promises';
import { Planner } from './planner.mjs';

export const POOLS = 50;
export const WORKERS = 40;
/** A pool whose engines fall silent, and one whose engines never say a word. */
export const STALE = 'p48', EMPTY = 'p49';

const id = pool => `p${String(pool).padStart(2, '0')}`;

export function planner(command, port) {
  const settings = [`http.port=${port}`];
  for (let pool = 0; pool < POOLS; pool++) {
    settings.push(`pools[${pool}].id=${id(pool)}`, `pools[${pool}].role=${['aggregated', 'prefill', 'decode'][pool % 3]}`,
      `pools[${pool}].model=model-${pool % 7}`, `pools[${pool}].sources=http`);
  }
  settings.push('pools[48].liveness.staleAfterSeconds=2');
  return new Planner(command, port, 'serve', ...settings.flatMap(setting => ['--set', setting]));
}

function frame(pool, worker, count) {
  const swing = 1 + 0.4 * Math.sin(count / 20 + pool);
  const decodes = Math.round(12 * swing + worker % 5), prompts = count % 4 === 0 || pool % 3 === 1 ? 1 : 0;
  const slow = worker === 7 ? 1.4 : 1;
  return {
    worker_id: `engine-${worker}`, counter_id: count, wall_time: slow * (0.012 + 0.0006 * decodes + 0.05 * prompts) * (0.97 + 0.06 * Math.random()),
    scheduled_requests: { num_prefill_requests: prompts, sum_prefill_tokens: 900 * prompts,
      num_decode_requests: pool % 3 === 1 ? 0 : decodes, sum_decode_kv_tokens: pool % 3 === 1 ? 0 : 900 * decodes },
    queued_requests: { num_prefill_requests: count % 5 === 0 ? 2 : 0, sum_prefill_tokens: count % 5 === 0 ? 1800 : 0 },
  };
}

/** Posts a frame of every worker each second until stopped; the stale pool's only at first. */
export class Fleet {
  constructor(base) {
    this.base = base;
    this.count = 0;
    this.over = false;
    this.posting = this.run();
  }

  async run() {
    while (!this.over) {
      const second = setTimeout(1000);
      await this.post();
      await second;
    }
  }

  async post() {
    const count = ++this.count;
    for (let pool = 0; pool < POOLS && !this.over; pool++) {
      if (id(pool) === EMPTY || (id(pool) === STALE && count > 3)) continue;
      const frames = Array.from({ length: WORKERS }, (_, worker) => frame(pool, worker, count));
      try {
        const answer = await fetch(`${this.base}/v1/pools/${id(pool)}/frames`,
          { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(frames) });
        await answer.arrayBuffer();
      } catch { /* It is being stopped. */ }
    }
  }

  async stop() {
    this.over = true;
    await this.posting;
  }
}
