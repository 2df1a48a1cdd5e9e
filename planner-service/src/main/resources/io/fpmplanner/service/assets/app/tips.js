// SPDX-License-Identifier: Apache-2.0
// One tooltip for the whole page. Whatever has data-term shows the glossary's words for it, whatever has data-tip shows that
// text; on hover, on focus, and on a tap. Escape hides it.
const GAP = 6;
let words = {};
let box = null;
let shownFor = null;

export async function startTips(glossary) {
  box = document.createElement('div');
  box.id = 'tip';
  box.setAttribute('role', 'tooltip');
  box.hidden = true;
  document.body.append(box);
  document.addEventListener('pointerover', event => show(target(event)));
  document.addEventListener('focusin', event => show(target(event)));
  document.addEventListener('focusout', hide);
  document.addEventListener('keydown', event => { if (event.key === 'Escape') hide(); });
  document.addEventListener('scroll', hide, { capture: true, passive: true });
  try { words = await (await fetch(glossary)).json(); } catch { words = {}; }
}

const target = event => event.target instanceof Element ? event.target.closest('[data-term], [data-tip]') : null;

function show(element) {
  if (element === shownFor) return;
  hide();
  const text = element && (element.dataset.tip || words[element.dataset.term]);
  if (!text) return;
  shownFor = element;
  box.textContent = text;
  box.hidden = false;
  element.setAttribute('aria-describedby', 'tip');
  const at = element.getBoundingClientRect();
  const size = box.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(at.left, document.documentElement.clientWidth - size.width - GAP));
  const below = at.bottom + GAP;
  const top = below + size.height > innerHeight ? Math.max(GAP, at.top - size.height - GAP) : below;
  box.style.left = `${left}px`;
  box.style.top = `${top}px`;
}

function hide() {
  if (shownFor) shownFor.removeAttribute('aria-describedby');
  shownFor = null;
  if (box) box.hidden = true;
}
