// SPDX-License-Identifier: Apache-2.0
// The planner's REST interface. Addresses are relative, so that the page works behind a path of a proxy.
const TIMEOUT_MILLIS = 8000;

/** An answer that was no success: a problem document, or no answer at all (status 0). */
export class Refusal extends Error {
  constructor(status, problem) {
    super(problem.detail || `HTTP ${status}`);
    this.status = status;
    this.problem = problem;
  }
}

async function ask(path, options = {}) {
  const limit = AbortSignal.timeout(TIMEOUT_MILLIS);
  const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
  let answer;
  try {
    answer = await fetch(path, { cache: 'no-store', ...options, signal });
  } catch (failure) {
    if (options.signal && options.signal.aborted) throw failure;
    throw new Refusal(0, { detail: 'The planner does not answer.' });
  }
  let body = {};
  try { body = await answer.json(); } catch { /* A proxy's page, or a cut answer. */ }
  if (!answer.ok) throw new Refusal(answer.status, body || {});
  return body;
}

export const get = (path, options) => ask(path, options);

export const post = (path, body, options = {}) => ask(path,
  { ...options, method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });

/** Path of a pool's document. */
export const poolPath = (id, rest = '') => `v1/pools/${encodeURIComponent(id)}${rest}`;

/** Changes when the page itself has; empty if that cannot be told. */
export async function pageTag() {
  try {
    const answer = await fetch('./', { method: 'HEAD', cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MILLIS) });
    return answer.ok ? answer.headers.get('ETag') || '' : '';
  } catch {
    return '';
  }
}
