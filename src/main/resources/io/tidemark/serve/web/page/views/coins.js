// Coins across markets: venues with their spread, derivatives with funding and basis.

import {element, heading, move, timeOf} from '../dom.js';
import {LiveTable} from '../table.js';
import {compact, count, dollars, leading, price, visible} from '../text.js';
import {star} from '../watchlist.js';

function coinLink(coin) {
  return `#/coin/${encodeURIComponent(coin)}`;
}

function coinCell(coin) {
  return element('span.named', {}, star({kind: 'coin', coin, name: coin}),
    element('a', {href: coinLink(coin)}, element('bdi', {}, visible(coin, 40))));
}

export function show(scope) {
  const venues = new LiveTable({
    caption: 'Venues by coin', empty: 'Waiting for the aggregate venues: it is written at the end of each minute.',
    order: 'Volume', scope, limit: 100,
    columns: [
      {title: 'Coin', kind: 'wide', sort: row => row.coin, cell: row => coinCell(row.coin)},
      {title: 'Median', kind: 'number', flash: true, sort: row => row.median_usd, cell: row => price(row.median_usd)},
      {title: 'Spread', kind: 'number', sort: row => row.spread_percent, cell: row => row.spread_percent === null ? '–' : `${leading(row.spread_percent, 3)}%`},
      {title: 'Cheapest', kind: 'minor', sort: row => row.cheapest?.price_usd, cell: row => venue(row.cheapest)},
      {title: 'Dearest', kind: 'minor', sort: row => row.dearest?.price_usd, cell: row => venue(row.dearest)},
      {title: 'Volume', kind: 'number', sort: row => row.volume_usd, cell: row => dollars(row.volume_usd || null)},
      {title: 'Compared', kind: 'number minor', sort: row => row.compared, cell: row => `${count(row.compared)} of ${count(row.venues)}`},
      {title: 'As of', kind: 'number minor', sort: row => row.at, csv: row => new Date(row.at).toISOString(), cell: row => timeOf(row.at)},
    ],
  });
  const derivatives = new LiveTable({
    caption: 'Derivatives by coin', empty: 'Waiting for the aggregate derivatives.', order: 'Open interest', scope, parameter: 'derivatives', limit: 100,
    columns: [
      {title: 'Coin', kind: 'wide', sort: row => row.coin, cell: row => coinCell(row.coin)},
      {title: 'Open interest', kind: 'number', flash: true, sort: row => row.open_interest_usd, cell: row => dollars(row.open_interest_usd)},
      {title: 'Volume', kind: 'number minor', sort: row => row.volume_usd, cell: row => dollars(row.volume_usd)},
      {title: 'Funding', kind: 'number', sort: row => row.funding_rate, cell: row => move(row.funding_rate)},
      {title: 'Lowest', kind: 'number minor', sort: row => row.lowest_funding?.value, cell: row => figure(row.lowest_funding)},
      {title: 'Highest', kind: 'number minor', sort: row => row.highest_funding?.value, cell: row => figure(row.highest_funding)},
      {title: 'Basis', kind: 'number', sort: row => row.basis_percent, cell: row => move(row.basis_percent)},
      {title: 'Contracts', kind: 'number minor', sort: row => row.visible, cell: row => `${compact(row.perpetuals)} + ${compact(row.dated)} dated`},
    ],
  });
  scope.follow({topics: ['venues', 'derivatives'], from: 'beginning', onRecord: record => {
    const table = record.topic === 'venues' ? venues : derivatives;
    if (record.value === null) {
      table.delete(record.key);
    } else {
      table.set(record.key, record.value);
    }
  }});
  return element('section.stacked', {},
    heading('Coins', 'One coin across markets and pools, and its derivatives across exchanges. New figures each minute.'),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Venues'), venues.tools()), venues.node),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Derivatives'), derivatives.tools()), derivatives.node));
}

function venue(each) {
  return each === null ? '–' : element('span', {}, element('bdi', {}, visible(each.market, 24)), ' ', element('span.muted.figure', {}, price(each.price_usd)));
}

function figure(each) {
  return each === null ? '–' : element('span', {title: visible(each.symbol, 60)}, move(each.value), ' ',
    element('small.muted', {}, visible(each.exchange, 24)));
}
