// The pools of each network that rose and fell most, over three spans of time.

import {poolLink} from '../change.js';
import {bar, choice, element, figures, heading, identicon, move, nameLink, notice, timeOf} from '../dom.js';
import {LiveTable} from '../table.js';
import {count, dollars, price, shortened, visible} from '../text.js';

const SPANS = [['m5', '5 minutes'], ['h1', '1 hour'], ['h24', '24 hours']];

export function show(scope) {
  const networks = new Map();
  let chosenSpan = scope.chosen('span', 'm5');
  const place = element('div.stacked', {}, notice('Waiting for the aggregate movers: it is written at the end of each minute.'));

  const draw = () => {
    if (networks.size > 0) {
      place.replaceChildren(...[...networks.values()].sort((a, b) => a.value.network < b.value.network ? -1 : 1)
        .map(network => network.draw(chosenSpan)));
    }
  };
  scope.follow({topics: ['movers'], from: 'beginning', onRecord: record => {
    if (record.value === null) {
      networks.delete(record.key);
    } else if (networks.has(record.key)) {
      networks.get(record.key).value = record.value;
      networks.get(record.key).draw(chosenSpan);
      return;
    } else {
      networks.set(record.key, new Network(scope, record.value));
    }
    draw();
  }});

  return element('section', {},
    heading('Movers', 'Pools with a reserve of $1,000 or more, by the move of their price; new figures each minute.',
      choice('Span of time', SPANS, chosenSpan, value => {
        chosenSpan = value;
        scope.choose('span', value, 'm5');
        draw();
      })),
    place);
}

/** The movers of one network. */
class Network {
  #gainers;
  #losers;
  #figures = element('div');
  #title = element('h2');
  #node;

  constructor(scope, value) {
    this.value = value;
    this.#gainers = moversTable(scope, 'Gainers', value.network);
    this.#losers = moversTable(scope, 'Losers', value.network);
    this.#node = element('section', {}, this.#title, this.#figures,
      element('div.columns', {}, ...[this.#gainers, this.#losers].map(table => element('div', {}, table.tools(), table.node))));
  }

  draw(span) {
    const {network, at, pools} = this.value;
    const window = this.value[span];
    this.#title.replaceChildren(element('bdi', {}, visible(network, 40)));
    const rising = bar(window.measured === 0 ? 0 : window.up / window.measured, 'up');
    this.#figures.replaceChildren(figures(
      ['Up', element('span.up', {}, count(window.up)), rising],
      ['Down', element('span.down', {}, count(window.down))],
      ['Measured', count(window.measured), `of ${count(this.value.visible)} visible, ${count(pools)} known`],
      ['As of', timeOf(at)]));
    this.#put(this.#gainers, window.gainers);
    this.#put(this.#losers, window.losers);
    return this.#node;
  }

  #put(table, movers) {
    table.clear();
    movers.forEach((mover, at) => table.set(mover.pool, {...mover, place: at + 1, network: this.value.network}));
  }
}

function moversTable(scope, title, network) {
  return new LiveTable({
    caption: `${title} on ${visible(network, 40)}`, order: '#', descending: false, scope,
    parameter: `${title.toLowerCase()}-${network}`, empty: `No ${title.toLowerCase()} in this span yet.`,
    columns: [
      {title: '#', kind: 'number', sort: row => row.place, cell: row => String(row.place)},
      {title, kind: 'wide', always: true, sort: row => (row.name || row.pool).toLowerCase(), csv: row => row.name || row.pool, cell: row =>
        element('span.named', {}, identicon(row.pool), nameLink(row.name || row.pool, poolLink(row.network, row.pool.slice(row.network.length + 1)), 30),
          element('small.muted', {}, shortened(row.pool.slice(row.network.length + 1), 9)))},
      {title: 'Pool id', optional: true, sort: row => row.pool, cell: row => element('bdi', {}, visible(row.pool, 80))},
      {title: 'Move', kind: 'number', sort: row => row.percent, cell: row => move(row.percent)},
      {title: 'Price', kind: 'number', sort: row => row.price_usd, cell: row => price(row.price_usd)},
      {title: 'Before', kind: 'number minor', sort: row => row.price_then_usd, cell: row => price(row.price_then_usd)},
      {title: 'Liquidity', kind: 'number minor', sort: row => row.reserve_usd, cell: row => dollars(row.reserve_usd)},
    ],
  });
}
