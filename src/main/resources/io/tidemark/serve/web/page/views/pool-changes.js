// The changes of one pool, newest first.

import {isFollowing, saysSomething, summary} from '../change.js';
import {element, move, notice, paint, timeOf} from '../dom.js';
import {count, visible} from '../text.js';
import {changeDetails} from './details.js';

const MOST = 120;

/** A panel with the changes of a pool; take(record) adds one. */
export function poolChanges() {
  const rows = element('tbody.folding');
  const empty = notice('No change yet.');
  const waiting = {following: [], others: []};

  const foldButton = element('button.small', {type: 'button', 'aria-pressed': 'false', onclick: () => {
    rows.classList.toggle('folding');
    fold();
  }});
  const fold = () => {
    const isFolding = rows.classList.contains('folding');
    foldButton.setAttribute('aria-pressed', String(!isFolding));
    foldButton.textContent = isFolding && rows.querySelector('tr.following') !== null
      ? `Caps and windows: ${count(rows.querySelectorAll('tr.following').length)} folded` : 'Caps and windows';
  };
  const draw = () => {
    rows.prepend(...Object.values(waiting).flatMap(kind => kind.splice(0)).sort((a, b) => b.timestamp - a.timestamp).map(changeRow));
    [':scope > tr:not(.following, .details)', ':scope > tr.following'].forEach(kind =>
      [...rows.querySelectorAll(kind)].slice(MOST).forEach(row => {
        if (row.nextElementSibling?.classList.contains('details')) {
          row.nextElementSibling.remove();
        }
        row.remove();
      }));
    fold();
  };
  const take = record => {
    empty.hidden = true;
    if (saysSomething(record.value)) {
      const kind = isFollowing('pool', record.value) ? waiting.following : waiting.others;
      kind.push(record);
      if (kind.length > MOST) {
        kind.shift();
      }
      paint(draw);
    }
  };
  fold();

  const node = element('div.panel', {}, element('header.heading', {}, element('h2', {}, 'Changes'), foldButton),
    element('div.table', {role: 'region', 'aria-label': 'Changes of this pool', tabindex: '0'},
      element('table.grid.log', {}, element('caption.hidden', {}, 'Changes of this pool, newest first'),
        element('thead', {}, element('tr', {}, ...['Time', 'Change', 'Before', 'After', 'Price move', 'From'].map((each, at) =>
          element(`th${at >= 2 && at <= 4 ? '.number' : at === 5 ? '.minor' : ''}`, {scope: 'col'}, each)), element('td.minor'))),
        rows), empty));
  return {node, take};
}

function changeRow(record) {
  const change = record.value;
  const described = summary('pool', change);
  const row = element(isFollowing('pool', change) ? 'tr.following' : 'tr', {},
    element('td.time', {}, timeOf(record.timestamp)),
    element('td', {}, described.attribute === undefined ? element(`span.${described.tone}`, {}, described.text)
      : [described.label, described.otherMove === null ? null : element('span.muted.figure', {}, ` ${described.otherMove}`),
        described.more > 0 ? element('span.muted', {}, ` +${described.more}`) : null].filter(Boolean)),
    element('td.number', {}, described.before ?? ''),
    element('td.number', {}, described.after ?? ''),
    element('td.number', {}, described.move === undefined || described.move === null ? '' : move(described.move)),
    element('td.minor.muted', {}, visible(change.origin?.operation)),
    element('td.minor', {}, element('button.small', {type: 'button', 'aria-expanded': 'false', onclick: event => {
      const open = row.nextElementSibling?.classList.contains('details');
      event.currentTarget.setAttribute('aria-expanded', String(!open));
      if (open) {
        row.nextElementSibling.remove();
      } else {
        row.after(element('tr.details', {}, element('td', {colspan: '7'}, changeDetails(change, record.key))));
      }
    }}, 'Details')));
  return row;
}
