// SPDX-License-Identifier: Apache-2.0
// What the planner says, plan by plan: one stream of server-sent events at a time, since browsers allow few connections.
import { createStore } from './dom.js';
import { get, pageTag, poolPath } from './api.js';

/** No plan for so long, though connected: the planner has stalled or the line is dead. */
const STALLED_MILLIS = 6000;
const REOPEN_MILLIS = 1500;
const LIST_MILLIS = 10000;

/*
 * phase: connecting before anything came, live, stalled, gone, absent (there is no such pool), refused (too many clients).
 * pools: the list, null before it came; pool: the document of the pool that is followed; receivedAt: of the newest plan.
 */
export const live = createStore({
  phase: 'connecting', pools: null, pool: null, poolId: null, receivedAt: 0, plans: 0, detail: '', outdated: false, lives: 0,
});

let source = null;
let reopening = 0;
let openedAt = 0;
let tag = '';

function streamPath(poolId) {
  return poolId === null ? 'v1/events' : poolPath(poolId, '/events');
}

function received(change) {
  const state = live.get();
  const back = state.phase === 'gone' || state.phase === 'stalled';
  live.set({ ...change, phase: 'live', detail: '', receivedAt: Date.now(), plans: state.plans + 1,
    lives: state.lives + (back ? 1 : 0) });
  if (back || tag === '') checkPage();
}

async function checkPage() {
  const now = await pageTag();
  if (tag !== '' && now !== '' && now !== tag) live.set({ outdated: true });
  tag = tag || now;
}

function open() {
  close();
  const poolId = live.get().poolId;
  const opened = new EventSource(streamPath(poolId));
  source = opened;
  openedAt = Date.now();
  opened.addEventListener('pools', event => received({ pools: JSON.parse(event.data).pools }));
  opened.addEventListener('pool', event => received({ pool: JSON.parse(event.data) }));
  opened.onerror = () => lost(opened, poolId);
}

function close() {
  clearTimeout(reopening);
  if (source) source.close();
  source = null;
}

/** The stream broke or was refused: a plain request tells which, and whether to try again soon. */
async function lost(opened, poolId) {
  if (opened !== source) return;
  close();
  let change = { phase: 'gone', detail: 'The connection was lost.' };
  try {
    await get(poolId === null ? 'v1/pools' : poolPath(poolId));
    change = { phase: 'refused', detail: 'The planner answers, but gives no stream of events.' };
  } catch (refusal) {
    if (refusal.status === 404) change = { phase: 'absent', detail: refusal.message };
    else if (refusal.status === 503) change = { phase: live.get().plans ? 'gone' : 'connecting', detail: refusal.message };
    else change = { phase: 'gone', detail: refusal.message };
  }
  if (live.get().poolId !== poolId) return;
  live.set(change);
  clearTimeout(reopening);
  reopening = setTimeout(() => { if (!document.hidden) open(); }, REOPEN_MILLIS);
}

/** Follows one pool, or all of them with null. */
export function follow(poolId) {
  const state = live.get();
  if (source && state.poolId === poolId) return;
  live.set({ poolId, pool: state.pool && state.pool.id === poolId ? state.pool : null,
    phase: state.phase === 'absent' ? 'connecting' : state.phase });
  open();
}

async function refreshList() {
  const state = live.get();
  if (document.hidden || (state.poolId === null && state.pools !== null)) return;
  try {
    live.set({ pools: (await get('v1/pools')).pools });
  } catch { /* The stream's own trouble tells. */ }
}

/** Starts everything; called once. */
export function start() {
  refreshList();
  setInterval(refreshList, LIST_MILLIS);
  setInterval(() => {
    const state = live.get();
    if (state.phase === 'live' && source && Date.now() - Math.max(openedAt, state.receivedAt) > STALLED_MILLIS) {
      live.set({ phase: 'stalled', detail: 'Connected, but no plan comes.' });
      open();
    } else if (state.phase === 'gone' || state.phase === 'stalled') {
      live.set({}); // The time since is shown.
    }
  }, 1000);
  // A page nobody looks at gives its connection to those that are looked at.
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) close();
    else open();
  });
}
