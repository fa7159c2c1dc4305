// Elements. Text from records reaches the document as text nodes only.

import {direction, percent, visible, when} from './text.js';

/** An element: element('td.number', {title: 'x'}, 'text', child, ...). Attributes that begin with on are listeners. */
export function element(tag, attributes = {}, ...children) {
  const [name, ...classes] = tag.split('.');
  const made = document.createElement(name);
  if (classes.length > 0) {
    made.className = classes.join(' ');
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) {
      made.addEventListener(key.slice(2), value);
    } else if (value === true) {
      made.setAttribute(key, '');
    } else if (value !== null && value !== undefined && value !== false) {
      made.setAttribute(key, value);
    }
  }
  made.append(...children.flat().filter(child => child !== null && child !== undefined));
  return made;
}

/** Whether two elements show the same: equal text, elements and attributes within them. */
export function sameContent(one, other) {
  return one.childNodes.length === other.childNodes.length
    && [...one.childNodes].every((node, at) => node.isEqualNode(other.childNodes[at]));
}

/** A name that strangers chose: isolated, on one line, bounded. */
export function name(text, longest = 48) {
  const shown = visible(text, longest);
  return element('bdi.name', {title: shown.endsWith('…') ? visible(text, 300) : null}, shown);
}

/** A link with a name that strangers chose; the name alone where there is nothing to open. */
export function nameLink(text, href, longest = 48) {
  return href === null ? name(text, longest) : element('a', {href}, name(text, longest));
}

/** A move in percent, coloured, with its sign. */
export function move(value) {
  return element(`span.move.${direction(value)}`, {}, percent(value));
}

/** A time as when() has it; renewTimes() adds its day when that is over. */
export function timeOf(at) {
  return element('span', {'data-at': at}, when(at));
}

/** Writes the times that are shown again. */
export function renewTimes(now) {
  document.querySelectorAll('[data-at]').forEach(each => {
    const text = when(Number(each.dataset.at), now);
    if (each.textContent !== text) {
      each.textContent = text;
    }
  });
}

/** A small label. */
export function chip(text, tone = 'plain') {
  return element(`span.chip.${tone}`, {}, visible(text, 40));
}

/** The heading of a view with what is beside it. */
export function heading(title, explanation, ...beside) {
  return element('header.heading', {},
    element('div', {}, element('h1', {}, title), explanation === null ? null : element('p.muted', {}, explanation)),
    beside.length === 0 ? null : element('div.tools', {}, ...beside));
}

/** Why there is nothing to see. */
export function notice(text, tone = 'plain') {
  return element(`p.notice.${tone}`, {}, text);
}

/** A bar of a share between 0 and 1. */
export function bar(share, tone = 'accent') {
  const fill = element(`span.fill.${tone}`);
  fill.style.width = `${Math.max(0, Math.min(1, share)) * 100}%`;
  return element('span.bar', {'aria-hidden': 'true'}, fill);
}

function drawing(tag, attributes, ...children) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...children);
  return made;
}

/** A line through values at equal distances, in the colour of its move from the first to the last. */
export function sparkline(values, width = 84, height = 22) {
  if (values.length < 2) {
    return element('span.muted', {}, '–');
  }
  const low = Math.min(...values);
  const range = Math.max(...values) - low || 1;
  const points = values.map((value, at) => `${(at / (values.length - 1) * width).toFixed(1)},${
    (1 + (1 - (value - low) / range) * (height - 2)).toFixed(1)}`).join(' ');
  return drawing('svg', {class: `spark ${direction(values.at(-1) - values[0])}`, viewBox: `0 0 ${width} ${height}`, width, height,
    'aria-hidden': 'true'}, drawing('polyline', {points}));
}

/** A hash of a text, of 32 bits. */
export function hash(text) {
  return [...text].reduce((sum, letter) => Math.imul(sum ^ letter.codePointAt(0), 16777619) >>> 0, 2166136261);
}

/** A small pattern made from a text, such as an address, so that equal names can be told apart at a glance. */
export function identicon(text) {
  const bits = hash(text);
  const squares = [];
  for (let at = 0; at < 15; at++) {
    if (bits >>> at & 1) {
      const [x, y] = [Math.floor(at / 5), at % 5];
      [...new Set([x, 4 - x])].forEach(column => squares.push(drawing('rect', {x: column, y, width: 1, height: 1})));
    }
  }
  return drawing('svg', {class: 'identicon', viewBox: '0 0 5 5', width: 15, height: 15, fill: `hsl(${bits % 360} 60% 55%)`,
    'aria-hidden': 'true'}, ...squares);
}

/** Two counts as parts of one bar, such as buys and sells. */
export function splitBar(more, less) {
  const part = element('span.fill.up');
  part.style.width = `${more + less === 0 ? 50 : 100 * more / (more + less)}%`;
  return element(`span.bar.split${more + less === 0 ? '.none' : ''}`, {'aria-hidden': 'true'}, part);
}

/** A group of buttons of which one is chosen: choices are [value, label]. */
export function choice(label, choices, chosen, onChoose) {
  const buttons = choices.map(([value, text]) => element('button', {
    type: 'button', 'aria-pressed': String(value === chosen),
    onclick: event => {
      buttons.forEach(button => button.setAttribute('aria-pressed', String(button === event.currentTarget)));
      onChoose(value);
    },
  }, text));
  return element('div.choice', {role: 'group', 'aria-label': label}, ...buttons);
}

/** A labelled select: choices are [value, label]. */
export function select(label, choices, chosen, onChoose) {
  const field = element('select', {onchange: event => onChoose(event.currentTarget.value)},
    ...choices.map(([value, text]) => element('option', {value, selected: value === chosen}, visible(text, 40))));
  return element('label.field', {}, element('span', {}, label), field);
}

/** A labelled text field with a text; onInput gets each new text, in lower case. */
export function textField(label, placeholder, text, onInput) {
  const field = element('input', {
    type: 'search', placeholder, value: text, maxlength: '100', autocomplete: 'off', spellcheck: 'false',
    oninput: event => onInput(event.currentTarget.value.trim().toLowerCase()),
  });
  return element('label.field', {}, element('span', {}, label), field);
}

/** Figures with their names: [name, node or text, note]. */
export function figures(...rows) {
  return element('dl.figures', {}, ...rows.map(([title, value, note]) => element('div', {},
    element('dt', {}, title), element('dd', {}, value, note ? element('small', {}, note) : null))));
}

const still = matchMedia('(prefers-reduced-motion: reduce)');

/** Marks a cell whose value changed. */
export function flash(cell) {
  if (!still.matches && !document.hidden) {
    cell.animate([{backgroundColor: 'var(--flash)'}, {backgroundColor: 'transparent'}], 900);
  }
}

const LEAST_PAUSE = 100; // nobody reads more than ten drawings a second, and each lays out whole tables

let painting = false;
let paintedAt = -LEAST_PAUSE;
const paints = new Set();

/** Runs a function once before the next frame, at most ten times a second, however often it is asked for. */
export function paint(task) {
  paints.add(task);
  if (!painting) {
    painting = true;
    const wait = paintedAt + LEAST_PAUSE - performance.now();
    if (document.hidden) {
      setTimeout(runPaints, 500);
    } else if (wait > 0) {
      setTimeout(() => requestAnimationFrame(runPaints), wait);
    } else {
      requestAnimationFrame(runPaints);
    }
  }
}

function runPaints() {
  painting = false;
  paintedAt = performance.now();
  const due = [...paints];
  paints.clear();
  due.forEach(each => each());
}
