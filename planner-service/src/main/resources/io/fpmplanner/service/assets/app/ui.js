// SPDX-License-Identifier: Apache-2.0
// Small parts that all views share.
import { html } from './dom.js';
import { DASH, known, words } from './format.js';
import { saveCsv, savePng } from './exporting.js';

/** A term that explains itself on hover and focus, with the words of the glossary. */
export const Term = ({ of, children }) => html`<span class="term" tabindex="0" data-term=${of}>${children || of}</span>`;

const STATUS = {
  RIGHT_SIZED: ['●', 'good', 'right-sized'],
  UNDER_PROVISIONED: ['▲', 'bad', 'under-provisioned'],
  OVER_PROVISIONED: ['▼', 'warn', 'over-provisioned'],
  UNDECIDED: ['○', 'soft', 'undecided'],
};

export const statusWord = status => (STATUS[status] || STATUS.UNDECIDED)[2];

export function Status({ of }) {
  const [mark, kind, word] = STATUS[of] || STATUS.UNDECIDED;
  return html`<span class=${`mark ${kind}`} data-term=${of} tabindex="0"><span aria-hidden="true">${mark}</span> ${word}</span>`;
}

const EVIDENCE = { READY: 'good', WARMING: 'warn', COLD: 'warn', EXTRAPOLATING: 'warn', STALE: 'bad' };

export const Evidence = ({ of }) => html`<span class=${`mark ${EVIDENCE[of] || 'soft'}`} data-term=${of} tabindex="0">${words(of)}</span>`;

/** A figure with its name below; `over` marks one that misses its objective. */
export const Figure = ({ term, name, value, note, over }) => html`<div class="figure">
  <dt><${Term} of=${term || name}>${name}<//></dt>
  <dd class=${over ? 'over' : ''}>${value}${note && html` <small>${note}</small>`}</dd>
</div>`;

/** A part of a view with a heading and what it can be exported as. */
export function Panel({ title, term, name, csv, png, tools, children, wide }) {
  const file = name || title.toLowerCase().replaceAll(' ', '-');
  return html`<section class=${wide ? 'panel wide' : 'panel'} aria-label=${title}>
    <header><h2>${term ? html`<${Term} of=${term}>${title}<//>` : title}</h2>${tools}
      <span class="exports">
        ${csv && html`<button type="button" onClick=${() => saveCsv(file, csv())} aria-label=${`${title} as CSV`}>CSV</button>`}
        ${png && html`<button type="button" onClick=${() => savePng(file, title, png())} aria-label=${`${title} as PNG`}>PNG</button>`}
      </span>
    </header>
    ${children}
  </section>`;
}

/** Instead of an empty chart or table: what is missing and what brings it. */
export const Nothing = ({ title, children }) => html`<div class="nothing" role="status"><strong>${title}</strong> ${children}</div>`;

/** The share of something that is reached, drawn and said. */
export function Meter({ value, most, label }) {
  const share = known(value) && most > 0 ? Math.min(1, value / most) : 0;
  return html`<span class="meter"><meter min="0" max="1" value=${share} aria-label=${label}></meter> ${known(value) ? `${value} of ${most}` : DASH}</span>`;
}

/** Whether latency is predicted to meet the objectives often enough; null while it cannot be said. */
export function sloMet(pool) {
  const predicted = pool.predicted || (pool.recommendation && pool.recommendation.predicted);
  const slo = pool.slo || (pool.recommendation && pool.recommendation.slo);
  if (!predicted || !slo || !predicted.sloShare || pool.evidence === 'STALE') return null;
  const { ttft, itl } = predicted.sloShare;
  return ttft >= slo.attainment && (itl === null || itl >= slo.attainment);
}

export function SloMark({ met }) {
  if (met === null) return html`<span class="mark soft">○ not known</span>`;
  return met ? html`<span class="mark good"><span aria-hidden="true">✓</span> met</span>`
    : html`<span class="mark bad"><span aria-hidden="true">✗</span> missed</span>`;
}
