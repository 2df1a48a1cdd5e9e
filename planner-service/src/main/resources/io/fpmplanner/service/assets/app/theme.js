// SPDX-License-Identifier: Apache-2.0
// Light, dark or as the system says; and the colours of the style sheet for what is drawn on a canvas.
import { createStore } from './dom.js';

const KEY = 'fpm-planner.theme';
const CHOICES = ['auto', 'light', 'dark'];

function stored() {
  try { return CHOICES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : 'auto'; } catch { return 'auto'; }
}

export const theme = createStore({ choice: stored(), version: 0 });
const cache = new Map();
const probe = document.createElement('i');

function apply() {
  const { choice, version } = theme.get();
  document.documentElement.dataset.theme = choice;
  cache.clear();
  theme.set({ version: version + 1 });
}

/** The next choice. */
export function turnTheme() {
  const choice = CHOICES[(CHOICES.indexOf(theme.get().choice) + 1) % CHOICES.length];
  try { localStorage.setItem(KEY, choice); } catch { /* Private windows may forbid it. */ }
  theme.set({ choice });
  apply();
}

/** A colour of the style sheet, as it is now, such as `--ink`. */
export function color(name) {
  if (!cache.has(name)) {
    if (!probe.isConnected) { probe.hidden = true; document.body.append(probe); }
    probe.style.color = `var(${name})`;
    cache.set(name, getComputedStyle(probe).color);
  }
  return cache.get(name);
}

/** The same with another opacity, 0 to 1. */
export function faded(name, opacity) {
  const [red, green, blue] = color(name).match(/[\d.]+/g);
  return `rgba(${red}, ${green}, ${blue}, ${opacity})`;
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', apply);
document.documentElement.dataset.theme = theme.get().choice;
