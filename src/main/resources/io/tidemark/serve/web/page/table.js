// The table of all views: rows by key, in an order, with the columns that were chosen, also as CSV.

import {element, flash, notice, paint, sameContent} from './dom.js';
import {recall, remember} from './storage.js';
import {count, counted} from './text.js';

/**
 * A table of rows by key. Rows that were set are drawn soon, at most ten times a second, and only cells whose text
 * differs are touched. While the mouse is over the table, no row moves, comes or goes.
 *
 * options: caption, columns ([{title, cell(row), kind: 'number' | 'wide' | 'minor', sort(row), csv(row), optional: true
 * (left out until somebody chooses the column), flash: true, always: true (the cell is also drawn if its text is the
 * same, but not its elements)}]), limit, order (title of a column), descending, scope (its address keeps the order),
 * parameter (of the address), filter(row), empty (text), rowClass(row)
 */
export class LiveTable {
  #options;
  #rows = new Map();
  #drawn = new Map();
  #changed = new Set();
  #body = element('tbody');
  #head = element('thead');
  #empty;
  #emptyText;
  #problem = null;
  #rest = element('p.muted', {hidden: true});
  #order;
  #descending;
  #columns;
  #left;
  #isHeld = false;
  #draw = () => this.#redraw();

  constructor(options) {
    this.#options = {limit: 200, parameter: 'sort', ...options};
    this.#left = new Set(recall(`columns.${options.caption}`, null)
      ?? options.columns.filter(column => column.optional).map(column => column.title));
    const first = `${options.descending === false ? '' : '-'}${options.order ?? ''}`;
    const order = options.scope?.chosen(this.#options.parameter, first) ?? first;
    this.#descending = order.startsWith('-');
    this.#order = order.replace(/^-/, '');
    this.#emptyText = options.empty ?? 'Nothing yet.';
    this.#empty = notice(this.#emptyText);
    this.node = element('div.table', {role: 'region', 'aria-label': options.caption, tabindex: '0',
      onpointerenter: event => this.#hold(event.pointerType === 'mouse'), onpointerleave: () => this.#hold(false)},
    element(`table.${options.style ?? 'grid'}`, {}, element('caption.hidden', {}, options.caption), this.#head, this.#body),
    this.#empty, this.#rest);
    this.#drawHead();
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

  /** Replaces the text that is shown while the table has no rows. */
  sayIfEmpty(text) {
    this.#emptyText = text;
    this.#problem = null;
    paint(this.#draw);
  }

  /** Sets why rows are missing, which is shown while no row is; null if none are. */
  sayProblem(text) {
    this.#problem = text;
    paint(this.#draw);
  }

  /** What stands beside the table: the choice of its columns, and its rows as a file. */
  tools() {
    const titles = this.#options.columns.map(column => column.title).filter(title => title !== '');
    return element('div.table-tools', {},
      element('details.menu', {}, element('summary', {}, 'Columns'), element('div.list', {}, ...titles.map(title =>
        element('label', {}, element('input', {type: 'checkbox', checked: !this.#left.has(title),
          onchange: event => this.#choose(title, event.currentTarget.checked)}), title)))),
      element('button', {type: 'button', title: 'Save the rows that pass the filters as a file of comma-separated values',
        onclick: () => this.#save()}, 'CSV'));
  }

  /** The rows that pass the filter, in their order, with the columns that are shown; the first line has their titles. */
  csv() {
    const columns = this.#columns.filter(column => column.title !== '');
    return csvOf([columns.map(column => column.title), ...this.#sorted().map(([, row]) => columns.map(column =>
      column.csv?.(row) ?? column.sort?.(row) ?? element('td', {}, ...contentOf(column, row)).textContent))]);
  }

  #save() {
    saveFile(`${this.#options.caption.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.csv`, this.csv());
  }

  #choose(title, isShown) {
    this.#left[isShown ? 'delete' : 'add'](title);
    remember(`columns.${this.#options.caption}`, [...this.#left]);
    this.#drawHead();
    this.#drawn.forEach(line => line.remove());
    this.#drawn.clear();
    paint(this.#draw);
  }

  #hold(isHeld) {
    this.#isHeld = isHeld;
    if (!isHeld) {
      paint(this.#draw);
    }
  }

  #drawHead() {
    this.#columns = this.#options.columns.filter(column => !this.#left.has(column.title));
    this.#head.replaceChildren(element('tr', {}, ...this.#columns.map(column => {
      const kind = column.kind ? `.${column.kind.replaceAll(' ', '.')}` : '';
      return column.title === '' ? element(`td${kind}`) : element(`th${kind}`, {scope: 'col', 'aria-sort':
        column.title !== this.#order ? null : this.#descending ? 'descending' : 'ascending'},
      column.sort === undefined ? column.title : element('button', {type: 'button', onclick: () => this.#orderBy(column.title)},
        column.title));
    })));
  }

  #orderBy(title) {
    this.#descending = this.#order === title ? !this.#descending : true;
    this.#order = title;
    this.#options.scope?.choose(this.#options.parameter, `${this.#descending ? '-' : ''}${title}`);
    this.#drawHead();
    this.#redraw(true);
  }

  #sorted() {
    const entries = [...this.#rows].filter(([, row]) => this.#options.filter?.(row) ?? true);
    const by = this.#options.columns.find(column => column.title === this.#order)?.sort;
    if (by) {
      const sign = this.#descending ? -1 : 1;
      const ranked = entries.map(entry => [by(entry[1]), entry]);
      ranked.sort(([a], [b]) => a === b ? 0 : a === null || a === undefined ? 1 : b === null || b === undefined ? -1
        : sign * (a < b ? -1 : 1));
      return ranked.map(([, entry]) => entry);
    }
    return entries;
  }

  #redraw(isAsked = false) {
    if (this.#isHeld && !isAsked && this.#drawn.size > 0) {
      this.#drawn.forEach((line, key) => this.#changed.has(key) && this.#rows.has(key) && this.#fill(line, this.#rows.get(key)));
      this.#changed.clear();
      return;
    }
    const passing = this.#sorted();
    const shown = passing.slice(0, this.#options.limit);
    this.#rest.hidden = shown.length === passing.length;
    this.#rest.textContent = `The first ${count(shown.length)} of ${count(passing.length)} rows, in this order.`;
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
        line = element('tr', {}, ...this.#columns.map(column => element(`td${column.kind ? `.${column.kind.replaceAll(' ', '.')}` : ''}`)));
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
    this.#empty.textContent = this.#problem
      ?? (this.#rows.size === 0 ? this.#emptyText : `None of the ${counted(this.#rows.size, 'row')} passes these filters.`);
  }

  #fill(line, row) {
    line.className = this.#options.rowClass?.(row) ?? '';
    this.#columns.forEach((column, at) => {
      const cell = line.children[at];
      const probe = element('td', {}, ...contentOf(column, row));
      if (probe.textContent !== cell.textContent || cell.childElementCount !== probe.childElementCount
          || (column.always && !sameContent(probe, cell))) {
        if (cell.textContent !== '' && column.flash) {
          flash(cell);
        }
        cell.replaceChildren(...probe.childNodes);
      }
    });
  }
}

function contentOf(column, row) {
  return [column.cell(row)].flat().filter(each => each !== null && each !== undefined);
}

/** Lines of fields as CSV (RFC 4180). */
export function csvOf(lines) {
  return lines.map(fields => `${fields.map(csvField).join(',')}\r\n`).join('');
}

/** A text that a spreadsheet would take for a formula begins with an apostrophe. */
function csvField(value) {
  const text = typeof value === 'number' && !Number.isFinite(value) ? '' : String(value ?? '');
  const safe = /^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Gives a text to the person as a file. */
export function saveFile(name, text) {
  const address = URL.createObjectURL(new Blob([text], {type: 'text/csv'}));
  element('a', {href: address, download: name}).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
