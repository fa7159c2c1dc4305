// A change as lines of the live table.

import {chip, element, move, nameLink, timeOf} from '../dom.js';
import {span} from '../text.js';
import {changeDetails} from './details.js';

/** The lines of a change in the table: the change, and its details if they are open. They are made once, while they are shown. */
export function liveLines(row) {
  row.line ??= lineOf(row);
  return row.isOpen ? [row.line, detailsOf(row)] : [row.line];
}

function lineOf(row) {
  const made = element('tr', {},
    element('td.minor.time', {}, timeOf(row.at)),
    element('td.minor', {}, chip(row.kind, row.kind)),
    element('td.wide', {}, nameLink(row.name, row.link, 60), row.network ? element('small.muted', {}, ` ${row.network}`) : null),
    element('td.wide', {}, ...summaryCells(row.summary)),
    element('td.number', {}, row.summary.move === undefined || row.summary.move === null ? '' : move(row.summary.move)),
    element('td.number.minor', {title: 'From the service’s time of the value to the commit'},
      row.asOf === null ? '–' : span(row.at - row.asOf)),
    element('td.minor', {}, element('button.small', {type: 'button', 'aria-expanded': String(Boolean(row.isOpen)),
      onclick: event => toggle(event.currentTarget, made, row)}, 'Details')));
  made.record = row;
  return made;
}

function summaryCells(summary) {
  if (summary.attribute === undefined) {
    return [element(`span.${summary.tone}`, {}, summary.text)];
  }
  return [
    element(`span.muted.attribute${summary.label === 'price' ? '.price-label' : ''}`, {}, `${summary.label} `),
    element('span.figure', {}, element('span.before', {}, `${summary.before} → `), summary.after),
    summary.otherMove === null ? null : element('span.muted.figure', {}, ` ${summary.otherMove}`),
    summary.more > 0 ? element('span.muted', {}, ` +${summary.more}`) : null,
  ].filter(Boolean);
}

function toggle(button, line, row) {
  row.isOpen = !row.isOpen;
  button.setAttribute('aria-expanded', String(row.isOpen));
  if (row.isOpen) {
    line.after(detailsOf(row));
  } else {
    line.nextElementSibling.remove();
  }
}

function detailsOf(row) {
  const details = element('tr.details', {}, element('td', {colspan: '7'}, changeDetails(row.change, row.key)));
  details.record = row;
  return details;
}
