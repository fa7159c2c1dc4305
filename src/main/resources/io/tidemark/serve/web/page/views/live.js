// Live changes, newest first, with filters.

import {changedFacets, kindOf, saysSomething} from '../change.js';
import {choice, element, heading, notice, paint, select, textField} from '../dom.js';
import {Rate, RecentChanges, passes, recentChange} from '../recent-changes.js';
import {csvOf, saveFile} from '../table.js';
import {count} from '../text.js';
import {liveLines} from './live-lines.js';

const ROWS = 150;
const MEMORY = 1_000; // changes that are kept for any choice of the filters
const DRAW_EVERY = 500;
const LONGEST_REFILL = 10_000;
const FROM = ['15s', '4m', '1h', '1d']; // how far back a view begins, until it has all its rows

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
const COLUMNS = [['Time', 'minor when'], ['Kind', 'minor kind'], ['Resource', 'wide'], ['Change', 'wide'], ['Price move', 'number moved'],
  ['Lag', 'number minor lag']];

export function show(scope) {
  const filter = {
    network: scope.chosen('network'), facet: scope.chosen('facet'), least: scope.chosen('least', '0'), text: scope.chosen('text'),
    following: scope.chosen('following') === 'yes', newest: scope.chosen('newest') === 'yes',
  };
  const changes = new RecentChanges(MEMORY, ROWS);
  const rate = new Rate();
  let isPaused = false;
  let isHovered = false;
  let isDue = false;
  let drawn = [];
  let folded = 0;
  let refilledUntil = 0;

  const body = element('tbody', {onpointerenter: event => hover(event.pointerType === 'mouse'), onpointerleave: () => hover(false)});
  const empty = notice('Waiting for the first change.');
  const pace = element('span.muted.pace', {}, '');
  const isHeld = () => isPaused || isHovered || body.querySelector('tr.details, :focus-visible') !== null;

  const draw = (isAsked = false) => {
    const isRefilled = drawn.length > 0 && scope.now() < refilledUntil; // its rows stay until the older ones are there
    if ((isHeld() || isRefilled) && !isAsked) {
      return;
    }
    isDue = false;
    const shown = changes.newest(row => passes(row, filter), filter.newest);
    const kept = new Set(shown);
    drawn.filter(row => !kept.has(row)).forEach(row => delete row.line);
    drawn = shown;
    body.replaceChildren(...shown.flatMap(liveLines)); // all at once, so that no row moves
    empty.hidden = shown.length > 0;
    empty.textContent = changes.size === 0 ? 'Waiting for the first change.' : `None of the newest ${count(changes.size)} changes passes these filters.`;
  };
  const hover = isOver => {
    isHovered = isOver;
    showPace();
  };
  const showPace = () => {
    const waiting = changes.sinceDrawn(row => passes(row, filter));
    pace.textContent = isHeld() && waiting > 0 ? `${isPaused ? 'Paused' : 'Held while you read'}: ${count(waiting)} more`
      : `${count(rate.perSecond(scope.now()))} changes/s${changes.unseen > 0 ? `, ${count(changes.unseen)} not shown` : ''}`;
    followingText.textContent = folded > 0 && !filter.following ? `Caps and windows: ${count(folded)} folded` : 'Caps and windows';
  };
  const set = (name, value, otherwise) => {
    filter[name] = value;
    scope.choose(name, value === true ? 'yes' : value === false ? '' : value, otherwise);
    draw(true);
  };

  const onRecord = record => {
    const kind = kindOf(record.topic);
    const changed = record.value === null ? [] : changedFacets(record.value);
    if (kind === null || (record.value !== null && !saysSomething(record.value, changed))) {
      return;
    }
    rate.add(record.timestamp);
    const row = recentChange(record, kind, changed);
    offer(networkSelect, row.network);
    row.facets.forEach(facet => offer(facetSelect, facet));
    folded += row.following && !filter.following ? 1 : 0;
    changes.add(row, each => passes(each, filter));
    isDue = true;
  };

  let stop = null;
  const follow = (topics, reach) => {
    stop?.();
    let behind = topics.length;
    stop = scope.follow({topics, from: FROM[reach], onRecord, onCaughtUp: () => {
      behind--;
      if (behind === 0 && changes.size < ROWS && reach + 1 < FROM.length) {
        changes.clear();
        folded = 0;
        rate.clear();
        refilledUntil = scope.now() + LONGEST_REFILL;
        follow(topics, reach + 1);
      } else if (behind === 0) {
        refilledUntil = 0;
      }
      paint(firstDraw);
    }});
  };
  const firstDraw = () => draw();
  const choose = name => {
    changes.clear();
    folded = 0;
    scope.choose('resources', name, 'all');
    follow(GROUPS.find(group => group.name === name).topics, 0);
    draw(true);
  };
  const save = () => saveFile('live-changes.csv', csvOf([
    ['time', 'topic', 'key', 'name', 'network', 'change', 'before', 'after', 'move percent'],
    ...changes.all(row => passes(row, filter)).map(row => [new Date(row.at).toISOString(), row.topic, row.key,
      row.name, row.network, row.summary.label ?? row.summary.text, row.summary.before, row.summary.after, row.summary.move])]));

  const followingText = element('span', {}, 'Caps and windows');
  const networkSelect = offered('Network', filter.network, value => set('network', value));
  const facetSelect = offered('Facet', filter.facet, value => set('facet', value));
  const group = GROUPS.find(each => each.name === scope.chosen('resources', 'all')) ?? GROUPS[0];
  follow(group.topics, 0);
  scope.every(DRAW_EVERY, () => isDue && draw());
  scope.every(DRAW_EVERY, showPace);

  return element('section', {},
    heading('Live changes', 'Each change as Tidemark commits it to Kafka: what the service showed before and after.', pace,
      switchButton(element('span', {}, 'Newest of each'), filter.newest, isOn => set('newest', isOn),
        'One row for each pool, token, ticker and so on: its newest change'),
      switchButton(followingText, filter.following, isOn => set('following', isOn),
        'Changes of pools and tokens with nothing but a market cap, or the figures of a window of time'),
      switchButton(element('span', {}, 'Pause'), false, isOn => {
        isPaused = isOn;
        draw();
      }, 'Keep the rows as they are. The mouse over a row, and open details, do so too'),
      element('button', {type: 'button', onclick: save}, 'CSV')),
    element('div.filters', {},
      choice('Resources', GROUPS.map(each => [each.name, each.title]), group.name, choose),
      networkSelect, facetSelect,
      select('Price move', [['0', 'Any'], ['1', '1% or more'], ['5', '5% or more'], ['20', '20% or more']], filter.least,
        value => set('least', value, '0')),
      textField('Name', 'name, symbol or key', filter.text, value => set('text', value))),
    element('div.table', {role: 'region', 'aria-label': 'Live changes', tabindex: '0'},
      element('table.grid.log.live', {},
        element('caption.hidden', {}, 'Live changes, newest first'),
        element('thead', {}, element('tr', {},
          ...COLUMNS.map(([title, kind]) => element('th', {scope: 'col', class: kind}, title)),
          element('td.minor.open'))),
        body), empty));
}

/** A select whose choices are offered as they are seen. */
function offered(label, chosen, onChoose) {
  return select(label, [['', 'All'], ...(chosen === '' ? [] : [[chosen, chosen]])], chosen, onChoose);
}

function offer(field, value) {
  const options = field.lastElementChild.options;
  if (value && ![...options].some(option => option.value === value)) {
    options.add(element('option', {value}, value));
  }
}

/** A button that is on or off. */
function switchButton(text, isOn, onSwitch, title) {
  return element('button', {type: 'button', 'aria-pressed': String(isOn), title, onclick: event => {
    const isNowOn = event.currentTarget.getAttribute('aria-pressed') === 'false';
    event.currentTarget.setAttribute('aria-pressed', String(isNowOn));
    onSwitch(isNowOn);
  }}, text);
}
