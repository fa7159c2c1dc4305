// Elements and live tables. Text from records reaches the document as text nodes only.

import {direction, percent, visible} from './text.js';

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

/** A labelled text field; onInput gets its text. */
export function textField(label, placeholder, onInput) {
  const field = element('input', {
    type: 'search', placeholder, maxlength: '100', autocomplete: 'off', spellcheck: 'false',
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
function flash(cell) {
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

/**
 * A table of rows by key. Rows that were set are drawn soon, at most ten times a second, and only
 * cells whose text differs are touched.
 *
 * options: caption, columns ([{title, cell(row), kind: 'number' | 'wide' | 'minor', sort(row)}]), limit, order
 * (column index, with descending first), filter(row), empty (text), onOpen(row)
 */
export class LiveTable {
  #options;
  #rows = new Map();
  #drawn = new Map();
  #changed = new Set();
  #body = element('tbody');
  #empty;
  #order;
  #descending;
  #heads;
  #draw = () => this.#redraw();

  constructor(options) {
    this.#options = {limit: 200, ...options};
    this.#order = options.order ?? null;
    this.#descending = options.descending ?? true;
    this.#empty = notice(options.empty ?? 'Nothing yet.');
    this.#heads = options.columns.map((column, at) => this.#head(column, at));
    const table = element(`table.${options.style ?? 'grid'}`, {},
      element('caption.hidden', {}, options.caption),
      element('thead', {}, element('tr', {}, ...this.#heads)), this.#body);
    this.node = element('div.table', {role: 'region', 'aria-label': options.caption, tabindex: '0'}, table, this.#empty);
    this.#showOrder();
  }

  get size() {
    return this.#rows.size;
  }

  get(key) {
    return this.#rows.get(key);
  }

  values() {
    return [...this.#rows.values()];
  }

  set(key, row) {
    this.#rows.set(key, row);
    this.#changed.add(key);
    paint(this.#draw);
  }

  delete(key) {
    this.#rows.delete(key);
    paint(this.#draw);
  }

  clear() {
    this.#rows.clear();
    paint(this.#draw);
  }

  /** Draws again with another filter, or because time has passed. */
  refresh(filter = this.#options.filter) {
    this.#options.filter = filter;
    this.#rows.forEach((row, key) => this.#changed.add(key));
    paint(this.#draw);
  }

  say(text) {
    this.#empty.textContent = text;
  }

  #head(column, at) {
    const content = column.sort === undefined ? column.title : element('button', {
      type: 'button', onclick: () => this.#orderBy(at),
    }, column.title);
    const kind = column.kind ? '.' + column.kind : '';
    return column.title === '' ? element(`td${kind}`) : element(`th${kind}`, {scope: 'col'}, content);
  }

  #orderBy(at) {
    this.#descending = this.#order === at ? !this.#descending : true;
    this.#order = at;
    this.#showOrder();
    paint(this.#draw);
  }

  #showOrder() {
    this.#heads.forEach((head, at) => at === this.#order
      ? head.setAttribute('aria-sort', this.#descending ? 'descending' : 'ascending')
      : head.removeAttribute('aria-sort'));
  }

  #sorted() {
    const entries = [...this.#rows].filter(([, row]) => this.#options.filter?.(row) ?? true);
    const by = this.#order === null ? null : this.#options.columns[this.#order].sort;
    if (by) {
      const sign = this.#descending ? -1 : 1;
      const ranked = entries.map(entry => [by(entry[1]), entry]);
      ranked.sort(([a], [b]) => a === b ? 0 : a === null || a === undefined ? 1 : b === null || b === undefined ? -1
        : sign * (a < b ? -1 : 1));
      return ranked.slice(0, this.#options.limit).map(([, entry]) => entry);
    }
    return entries.slice(0, this.#options.limit);
  }

  #redraw() {
    const shown = this.#sorted();
    const keys = new Set(shown.map(([key]) => key));
    for (const [key, line] of this.#drawn) {
      if (!keys.has(key)) {
        line.remove();
        this.#drawn.delete(key);
      }
    }
    let place = this.#body.firstChild;
    for (const [key, row] of shown) {
      let line = this.#drawn.get(key);
      if (line === undefined) {
        line = element('tr', {}, ...this.#options.columns.map(column => element(`td${column.kind ? '.' + column.kind : ''}`)));
        this.#drawn.set(key, line);
        this.#changed.add(key);
      }
      if (this.#changed.has(key)) {
        this.#fill(line, row);
      }
      if (line === place) {
        place = place.nextSibling;
      } else {
        this.#body.insertBefore(line, place);
      }
    }
    this.#changed.clear();
    this.#empty.hidden = shown.length > 0;
  }

  #fill(line, row) {
    line.className = this.#options.rowClass?.(row) ?? '';
    this.#options.columns.forEach((column, at) => {
      const cell = line.children[at];
      const content = [column.cell(row)].flat().filter(each => each !== null && each !== undefined);
      const probe = element('td', {}, ...content);
      if (probe.textContent !== cell.textContent || cell.childElementCount !== probe.childElementCount
          || column.always) {
        if (cell.textContent !== '' && column.flash) {
          flash(cell);
        }
        cell.replaceChildren(...probe.childNodes);
      }
    });
  }
}
