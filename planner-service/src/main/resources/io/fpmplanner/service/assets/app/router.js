// SPDX-License-Identifier: Apache-2.0
// Views have addresses behind the hash: #/VIEW/POOL?name=value. They need nothing of the server and work behind any path.
import { createStore } from './dom.js';

export const VIEWS = ['overview', 'pool', 'model', 'what-if', 'inputs'];

function parse() {
  const [path, query] = (location.hash.replace(/^#\/?/, '') || 'overview').split('?');
  const [view, pool] = path.split('/');
  let id = null;
  try { id = pool ? decodeURIComponent(pool) : null; } catch { id = pool; }
  return { view, pool: id, query: Object.fromEntries(new URLSearchParams(query || '')) };
}

export const route = createStore(parse());
addEventListener('hashchange', () => route.set(parse()));

export function href(view, pool, query) {
  const search = query && Object.keys(query).length ? `?${new URLSearchParams(query)}` : '';
  return `#/${view}${pool ? `/${encodeURIComponent(pool)}` : ''}${search}`;
}

/** Changes the query of the present view; leaves no trace in the browser's history. */
export function replaceQuery(query) {
  const { view, pool } = route.get();
  const kept = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined && value !== null));
  history.replaceState(null, '', href(view, pool, kept));
  route.set({ query: kept });
}

export function go(to) {
  location.hash = to.replace(/^#/, '');
}
