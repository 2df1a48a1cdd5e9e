// SPDX-License-Identifier: Apache-2.0
// The frame around the views: navigation, the pool that is looked at, how live the page is, light and dark.
import { html, render, useEffect, useRef, useState, useStore } from './dom.js';
import { follow, live, start } from './live.js';
import { VIEWS, go, href, route } from './router.js';
import { theme, turnTheme } from './theme.js';
import { startTips } from './tips.js';
import { clock, seconds } from './format.js';
import { Nothing } from './ui.js';
import { Overview } from '../views/overview.js';

const NAMES = { overview: 'Overview', pool: 'Pool', model: 'Model', 'what-if': 'What-if', inputs: 'Inputs' };
/** Views that most visits never open are loaded when they are. */
const LOADERS = {
  pool: () => import('../views/pool.js').then(module => module.PoolView),
  model: () => import('../views/model.js').then(module => module.ModelView),
  'what-if': () => import('../views/whatif.js').then(module => module.WhatIfView),
  inputs: () => import('../views/inputs.js').then(module => module.InputsView),
};
/** Views that live on the document of one pool. */
const OF_ONE_POOL = ['pool', 'model'];

const loaded = { overview: Overview };

function useView(name) {
  const [, again] = useState(0);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    setFailed(false);
    if (!loaded[name] && LOADERS[name]) {
      LOADERS[name]().then(view => { loaded[name] = view; again(count => count + 1); }, () => setFailed(true));
    }
  }, [name]);
  return failed ? Broken : loaded[name];
}

const Broken = () => html`<${Nothing} title="This view could not be loaded.">
  The planner may have been replaced by another version. <button type="button" onClick=${() => location.reload()}>Load the page again</button><//>`;

function Connection() {
  const { phase, receivedAt, detail } = useStore(live);
  const texts = {
    live: ['good', 'live'], connecting: ['soft', 'connecting'], stalled: ['bad', 'no plan'], gone: ['bad', 'no answer'],
    refused: ['warn', 'no stream'], absent: ['warn', 'no such pool'],
  };
  const [kind, text] = texts[phase];
  return html`<span class=${`mark ${kind} connection`} data-tip=${phase === 'live' ? `The newest plan came at ${clock(receivedAt)}.` : detail} tabindex="0">
    <span aria-hidden="true">${phase === 'live' ? '●' : '○'}</span> ${text}</span>`;
}

function Notice() {
  const { phase, receivedAt, detail, outdated } = useStore(live);
  const old = receivedAt ? ` What is shown is from ${clock(receivedAt)}, ${seconds((Date.now() - receivedAt) / 1000)} ago.` : '';
  const texts = {
    gone: `No answer from the planner. ${detail} Trying again.${old}`,
    stalled: `The planner answers, but makes no plans.${old}`,
    refused: `${detail} Trying again.${old}`,
  };
  return html`<div class="notices" role="status" aria-live="polite">
    ${texts[phase] && html`<p class="notice">${texts[phase]}</p>`}
    ${outdated && html`<p class="notice mild">The planner has another version now.
      <button type="button" onClick=${() => location.reload()}>Load the page again</button></p>`}
  </div>`;
}

/** The pool of the address, else the last one looked at, else the first. */
function useChosenPool(view, named) {
  const ids = useStore(live, state => state.pools ? state.pools.map(pool => pool.id).join('\n') : '');
  const last = useRef(null);
  if (named) last.current = named;
  const list = ids ? ids.split('\n') : [];
  const remembered = last.current && list.includes(last.current) ? last.current : list[0] || null;
  return { list, chosen: named || (view === 'overview' || view === 'inputs' ? null : remembered), remembered };
}

function PoolChoice({ view, list, chosen }) {
  if (view === 'overview' || list.length === 0) return null;
  const all = view === 'inputs';
  return html`<label class="choice">Pool <select value=${chosen || ''} onChange=${event => go(href(view, event.target.value))}>
    ${all && html`<option value="" selected=${!chosen}>all pools</option>`}
    ${chosen && !list.includes(chosen) && html`<option value=${chosen} selected>${chosen} (unknown)</option>`}
    ${list.map(id => html`<option key=${id} value=${id} selected=${id === chosen}>${id}</option>`)}
  </select></label>`;
}

function App() {
  const { view, pool, query } = useStore(route);
  const shown = VIEWS.includes(view) ? view : null;
  const { list, chosen, remembered } = useChosenPool(shown, pool);
  const View = useView(shown);
  const phase = useStore(live, state => state.phase);
  const choice = useStore(theme, state => state.choice);
  useEffect(() => { follow(OF_ONE_POOL.includes(shown) ? chosen : null); }, [shown, chosen]);
  useEffect(() => {
    document.title = `${NAMES[shown] || 'Nothing here'}${chosen ? ` · ${chosen}` : ''} · fpm-planner`;
    window.scrollTo(0, 0);
  }, [shown, chosen]);
  return html`
    <a class="skip" href="#main" onClick=${event => { event.preventDefault(); document.getElementById('main').focus(); }}>To the content</a>
    <header class="bar">
      <a class="brand" href="#/overview">fpm-planner</a>
      <nav aria-label="Views">${VIEWS.map(name => html`<a key=${name} href=${href(name, OF_ONE_POOL.includes(name) || name === 'what-if' ? chosen || remembered : null)}
        aria-current=${name === shown ? 'page' : undefined}>${NAMES[name]}</a>`)}</nav>
      <${PoolChoice} view=${shown} list=${list} chosen=${chosen} />
      <span class="end"><${Connection} />
        <button type="button" class="quiet" onClick=${turnTheme} data-tip="Colours: as the system says, light or dark.">${choice}</button></span>
    </header>
    <${Notice} />
    <main id="main" tabindex="-1" class=${phase === 'gone' || phase === 'stalled' ? 'old' : ''}>
      ${!shown ? html`<${Nothing} title="There is no such view.">See the <a href="#/overview">overview</a>.<//>`
        : View ? html`<${View} key=${`${shown}/${chosen}`} poolId=${chosen} query=${query} />` : html`<p class="soft">Loading the view…</p>`}
    </main>
    <footer><a href="docs">REST reference</a> · <a href="v1/pools">/v1/pools</a> · <a href="metrics">/metrics</a> · <a href="readyz?verbose">/readyz</a></footer>`;
}

startTips(new URL('../glossary.json', import.meta.url));
const root = document.getElementById('app');
root.replaceChildren();
render(html`<${App} />`, root);
start();
