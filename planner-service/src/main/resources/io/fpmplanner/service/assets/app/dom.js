// SPDX-License-Identifier: Apache-2.0
// Preact, its hooks and templates in one place, and a store that components can watch.
import { h, render, Component, Fragment } from '../lib/preact.js';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from '../lib/hooks.js';
import htm from '../lib/htm.js';

export const html = htm.bind(h);
export { render, Component, Fragment, useEffect, useLayoutEffect, useMemo, useRef, useState };

const waiting = new Set();
let asked = false;

/** Runs a task at the next frame; the same task is run once however often it is asked for. */
export function atFrame(task) {
  waiting.add(task);
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    const tasks = [...waiting];
    waiting.clear();
    for (const one of tasks) one();
  });
}

/** A value with listeners, told once a frame. */
export function createStore(initial) {
  const listeners = new Set();
  let state = initial;
  const tell = () => { for (const listener of [...listeners]) listener(); };
  return {
    get: () => state,
    set(change) { state = { ...state, ...change }; atFrame(tell); },
    watch(listener) { listeners.add(listener); return () => listeners.delete(listener); },
  };
}

/** What `pick` makes of a store; renders again when that is another value. */
export function useStore(store, pick = state => state) {
  const [value, setValue] = useState(() => pick(store.get()));
  const latest = useRef(pick);
  latest.current = pick;
  useEffect(() => {
    const look = () => setValue(() => latest.current(store.get()));
    look();
    return store.watch(look);
  }, [store]);
  return value;
}

/** Runs a task every so many milliseconds while the component is there; at once, too. */
export function useEvery(millis, task, inputs) {
  useEffect(() => {
    let over = false;
    const run = () => { if (!over && !document.hidden) task(() => over); };
    run();
    const timer = setInterval(run, millis);
    return () => { over = true; clearInterval(timer); };
  }, inputs);
}
