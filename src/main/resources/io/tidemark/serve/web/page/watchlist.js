// The pools, coins and treasuries that somebody marked, kept in the browser.

import {element} from './dom.js';
import {recall, remember} from './storage.js';

const MOST = 100;
const listeners = new Set();

/**
 * What is marked, oldest first: pools ({kind: 'pool', network, address, name}), coins ({kind: 'coin', coin, name}) and
 * treasuries ({kind: 'treasury', entity, name}).
 */
export function marked() {
  return recall('marked', []);
}

/** Calls a function after each change of the list, here or in another tab. Returns what stops it. */
export function onMarked(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function identity(item) {
  return item.kind === 'pool' ? `${item.network}_${item.address}` : item.kind === 'coin' ? item.coin : item.entity;
}

function isMarked(item) {
  return marked().some(each => each.kind === item.kind && identity(each) === identity(item));
}

function toggle(item) {
  const others = marked().filter(each => each.kind !== item.kind || identity(each) !== identity(item));
  remember('marked', isMarked(item) ? others : [...others, item].slice(-MOST));
  listeners.forEach(listener => listener());
}

/** A button that marks a pool, a coin or a treasury. */
export function star(item) {
  const show = () => {
    const isOn = isMarked(item);
    button.setAttribute('aria-pressed', String(isOn));
    button.setAttribute('aria-label', `${isOn ? 'Take from' : 'Put on'} my list: ${item.name}`);
    button.textContent = isOn ? '★' : '☆';
  };
  const button = element('button.star', {type: 'button', onclick: () => {
    toggle(item);
    show();
  }});
  show();
  return button;
}

window.addEventListener('storage', event => event.key === 'tidemark.marked' && listeners.forEach(listener => listener()));
