// Live changes, newest first, with filters.

import {changedFacets, isFollowing, kindOf, linkOf, nameOf, saysSomething, summary} from '../change.js';
import {changeDetails} from './details.js';
import {chip, choice, element, heading, move, nameLink, notice, paint, select, textField} from '../dom.js';
import {clock, count, span} from '../text.js';

const ROWS = 150;
const MOST_WAITING = 300;

/** The topics of each choice; a view has five feeds at most. */
const GROUPS = [
  {name: 'all', title: 'Market', topics: ['pool.changes', 'ticker.changes', 'contract.changes', 'ranking.changes', 'holding.changes']},
  {name: 'pool', title: 'Pools', topics: ['pool.changes']},
  {name: 'token', title: 'Tokens', topics: ['token.changes']},
  {name: 'ticker', title: 'Tickers', topics: ['ticker.changes']},
  {name: 'contract', title: 'Derivatives', topics: ['contract.changes', 'derivatives-exchange.changes']},
  {name: 'ranking', title: 'Rankings', topics: ['ranking.changes']},
  {name: 'holding', title: 'Treasuries', topics: ['holding.changes', 'treasury.changes']},
  {name: 'other', title: 'Other', topics: ['global.changes', 'coin-day.changes', 'platform.changes']},
];

export function show(scope) {
  const filter = {network: '', text: '', facet: '', least: 0, following: false};
  const networks = new Set();
  const facets = new Set();
  const waiting = [];
  let paused = false;
  let skipped = 0;
  let folded = 0;
  const rate = new Rate();

  const body = element('tbody');
  const empty = notice('Waiting for the first change.');
  const pace = element('span.muted', {}, '');
  const pauseButton = element('button', {type: 'button', 'aria-pressed': 'false', onclick: () => {
    paused = !paused;
    pauseButton.setAttribute('aria-pressed', String(paused));
    pauseButton.textContent = paused ? 'Resume' : 'Pause';
    paint(draw);
  }}, 'Pause');
  const followingText = element('span', {}, 'Caps and windows');
  const followingButton = element('button', {
    type: 'button', 'aria-pressed': 'false',
    title: 'Changes of pools and tokens with nothing but a market cap, or the figures of a window of time',
    onclick: () => {
      followingButton.setAttribute('aria-pressed', String(!filter.following));
      set({following: !filter.following});
    },
  }, followingText);
  const networkSelect = select('Network', [['', 'All']], '', value => set({network: value}));
  const facetSelect = select('Facet', [['', 'All']], '', value => set({facet: value}));

  const draw = () => {
    if (paused) {
      return;
    }
    if (waiting.length > 0) {
      const lines = waiting.splice(0).sort((a, b) => b.at - a.at).slice(0, ROWS).map(row => line(row));
      body.prepend(...lines);
      while (body.childElementCount > ROWS) {
        body.lastElementChild.remove();
      }
    }
    empty.hidden = body.childElementCount > 0;
  };

  const set = change => {
    Object.assign(filter, change);
    for (const row of [...body.children]) {
      if (!passes(row.record, filter)) {
        row.remove();
      }
    }
    empty.hidden = body.childElementCount > 0;
    empty.textContent = 'No change passes these filters yet.';
  };

  const line = row => {
    const made = element('tr', {},
      element('td.minor.time', {}, clock(row.at)),
      element('td.minor', {}, chip(row.kind, row.kind)),
      element('td.wide', {}, nameLink(row.name, row.link, 60), row.network ? element('small.muted', {}, ` ${row.network}`) : null),
      element('td.wide', {}, ...summaryCells(row.summary)),
      element('td.number', {}, row.summary.move === undefined || row.summary.move === null ? '' : move(row.summary.move)),
      element('td.number.minor', {title: 'From the service’s time of the value to the commit'},
        row.asOf === null ? '–' : span(row.at - row.asOf)),
      element('td.minor', {}, element('button.small', {type: 'button', 'aria-expanded': 'false', onclick: event =>
        toggle(event.currentTarget, made, row)}, 'Details')));
    made.record = row;
    return made;
  };

  const onRecord = record => {
    const kind = kindOf(record.topic);
    const changed = record.value === null ? [] : changedFacets(record.value);
    if (kind === null || (record.value !== null && !saysSomething(record.value, changed))) {
      return;
    }
    rate.add(scope.now());
    const row = rowOf(record, kind, changed);
    if (row.network && !networks.has(row.network)) {
      networks.add(row.network);
      networkSelect.lastElementChild.append(element('option', {value: row.network}, row.network));
    }
    row.facets.filter(facet => !facets.has(facet)).forEach(facet => {
      facets.add(facet);
      facetSelect.lastElementChild.append(element('option', {value: facet}, facet));
    });
    folded += row.following && !filter.following ? 1 : 0;
    if (passes(row, filter)) {
      waiting.push(row);
      if (waiting.length > MOST_WAITING) {
        skipped += waiting.splice(0, waiting.length - ROWS).length; // they would leave the table before anyone saw them
      }
      paint(draw);
    }
  };

  let open = null;
  const follow = (name, from) => {
    open?.();
    waiting.length = 0;
    skipped = 0;
    folded = 0;
    body.replaceChildren();
    open = scope.follow({topics: GROUPS.find(group => group.name === name).topics, from, onRecord});
    empty.hidden = false;
    empty.textContent = 'Waiting for the first change.';
  };
  follow('all', '15s');
  scope.every(1000, () => {
    pace.textContent = `${count(rate.perSecond(scope.now()))} changes/s${
      skipped > 0 ? `, ${count(skipped)} not shown` : ''}${paused ? ', paused' : ''}`;
    followingText.textContent = folded > 0 && !filter.following ? `Caps and windows: ${count(folded)} folded` : 'Caps and windows';
  });

  return element('section', {},
    heading('Live changes', 'Each change as Tidemark commits it to Kafka: what the service showed before and after.',
      pace, followingButton, pauseButton),
    element('div.filters', {},
      choice('Resources', GROUPS.map(group => [group.name, group.title]), 'all',
        name => follow(name, name === 'pool' || name === 'all' ? '15s' : '10m')),
      networkSelect, facetSelect,
      select('Price move', [['0', 'Any'], ['1', '1% or more'], ['5', '5% or more'], ['20', '20% or more']], '0',
        value => set({least: Number(value)})),
      textField('Name', 'name, symbol or key', value => set({text: value}))),
    element('div.table', {role: 'region', 'aria-label': 'Live changes', tabindex: '0'},
      element('table.grid.log', {},
        element('caption.hidden', {}, 'Live changes, newest first'),
        element('thead', {}, element('tr', {},
          ...[['Time', 'minor'], ['Kind', 'minor'], ['Resource', 'wide'], ['Change', 'wide'], ['Price move', 'number'], ['Lag', 'number minor']]
            .map(([title, kind]) => element('th', {scope: 'col', class: kind}, title)),
          element('td.minor'))),
        body), empty));
}

function rowOf(record, kind, changed) {
  const change = record.value;
  const name = change === null ? record.key : nameOf(kind, change, record.key);
  return {
    kind, name, change, key: record.key, at: record.timestamp, facets: changed.map(facet => facet.name),
    place: `${record.topic}/${record.partition}/${record.offset}`,
    network: change?.network ?? null,
    asOf: change?.origin?.as_of ?? null,
    link: change === null ? null : linkOf(kind, change, record.key),
    summary: summary(kind, change, changed), following: change !== null && isFollowing(kind, change, changed),
    searched: `${name} ${record.key}`.toLowerCase(),
  };
}

function passes(row, filter) {
  return (filter.network === '' || row.network === filter.network)
    && (filter.facet === '' || row.facets.includes(filter.facet))
    && (filter.following || !row.following || filter.facet !== '')
    && (filter.least === 0 || Math.abs(row.summary.move ?? 0) >= filter.least)
    && (filter.text === '' || row.searched.includes(filter.text));
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

function toggle(button, row, about) {
  const open = row.nextElementSibling?.classList.contains('details');
  button.setAttribute('aria-expanded', String(!open));
  if (open) {
    row.nextElementSibling.remove();
  } else {
    const details = element('tr.details', {}, element('td', {colspan: '7'}, changeDetails(about.change, about.key)));
    details.record = about;
    row.after(details);
  }
}

/** Events in each second of the last ten. */
class Rate {
  #seconds = new Map();

  add(now) {
    const second = Math.floor(now / 1000);
    this.#seconds.set(second, (this.#seconds.get(second) ?? 0) + 1);
  }

  perSecond(now) {
    const first = Math.floor(now / 1000) - 10;
    let all = 0;
    for (const [second, events] of this.#seconds) {
      if (second < first) {
        this.#seconds.delete(second);
      } else {
        all += events;
      }
    }
    return all / 10;
  }
}
