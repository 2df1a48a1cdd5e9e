// SPDX-License-Identifier: Apache-2.0
// The past of one pool as the server keeps it: loaded whole, then continued step by step as plans come.
import { useEffect, useRef, useState } from './dom.js';
import { get, poolPath } from './api.js';
import { live } from './live.js';

const LEAST_MILLIS = 900;

function merge(past, more) {
  const first = more.times.length ? more.times[0] : Infinity;
  let kept = past.times.length;
  while (kept > 0 && past.times[kept - 1] >= first) kept--;
  const oldest = Date.parse(more.now) / 1000 - past.span;
  let start = 0;
  while (start < kept && past.times[start] + past.stepSeconds < oldest) start++;
  const join = (before, after) => before.slice(start, kept).concat(after);
  const series = {};
  for (const name of Object.keys(past.series)) series[name] = join(past.series[name], more.series[name]);
  const seen = past.decisions.length ? past.decisions[past.decisions.length - 1].at : '';
  return { ...past, now: more.now, times: join(past.times, more.times), evidence: join(past.evidence, more.evidence), series,
    decisions: past.decisions.concat(more.decisions.filter(one => one.at > seen)) };
}

/** Steps of time that are missing become an unknown value, so that no line is drawn across them. */
export function withGaps(past, names) {
  const times = [], columns = names.map(() => []);
  past.times.forEach((time, i) => {
    if (i > 0 && time - past.times[i - 1] > 2.5 * past.stepSeconds) {
      times.push(past.times[i - 1] + past.stepSeconds);
      columns.forEach(column => column.push(null));
    }
    times.push(time);
    names.forEach((name, k) => columns[k].push(past.series[name] ? past.series[name][i] : null));
  });
  return [times, ...columns];
}

/** { past, refusal }: the last `span` seconds of a pool, or why there is none. */
export function useHistory(poolId, span) {
  const [state, setState] = useState({ past: null, refusal: null });
  const held = useRef(null);
  useEffect(() => {
    let over = false, asking = false, asked = 0, lives = live.get().lives;
    held.current = null;
    setState({ past: null, refusal: null });
    const look = async () => {
      if (over || asking || document.hidden || Date.now() - asked < LEAST_MILLIS) return;
      asking = true;
      asked = Date.now();
      const past = live.get().lives === lives ? held.current : null;
      lives = live.get().lives;
      try {
        const since = past && past.times.length ? `&since=${Math.round(past.times[past.times.length - 1] * 1000)}` : '';
        const more = await get(poolPath(poolId, `/history?seconds=${span}${since}`));
        if (over) return;
        // After a restart the server's past begins anew, and so does what is shown.
        const goesOn = past && since && past.begin === more.begin && past.stepSeconds === more.stepSeconds;
        held.current = goesOn ? merge(past, more) : since && past ? null : { ...more, span };
        if (held.current) setState({ past: held.current, refusal: null });
        else asked = 0;
      } catch (refusal) {
        if (!over && refusal.status !== undefined && !held.current) setState({ past: null, refusal });
      } finally {
        asking = false;
      }
    };
    look();
    const unwatch = live.watch(look);
    return () => { over = true; unwatch(); };
  }, [poolId, span]);
  return state;
}
