// One coin: its venues and its derivatives, contract by contract.

import {targetsOf} from '../condition.js';
import {chip, element, figures, move, name, notice, select} from '../dom.js';
import {readPages} from '../pages.js';
import {coinPriceAlertForm} from '../price-alert.js';
import {LiveTable} from '../table.js';
import {count, dollars, leading, number, price, span, visible} from '../text.js';
import {star} from '../watchlist.js';
import {candleChart} from './candle-chart.js';
import {contractAfter, keyOf, tickerAfter, tickerKey, tickerOf} from './coin-rows.js';

const MOST_VENUES = 50; // to choose from
const DOLLARS = ['USD', 'USDT', 'USDC'];

export function show(scope) {
  const coin = scope.parameters.path[0];
  if (coin === undefined) {
    return notice('The address of a coin’s view is #/coin/<id>.', 'bad');
  }
  const summary = element('div');
  const aggregates = {};
  const tickers = new LiveTable({
    caption: 'Tickers', empty: 'Reading tickers.', order: 'Volume', scope, limit: 150,
    columns: [
      {title: 'Market', kind: 'wide', sort: row => row.market, cell: row => [name(row.marketName, 30),
        element('small.muted', {}, ` ${visible(row.pair, 40)}`)]},
      {title: 'Price', kind: 'number', flash: true, sort: row => row.price, cell: row => price(row.price)},
      {title: 'To median', kind: 'number', sort: row => row.price, csv: row => fromMedian(row.price) ?? '', cell: row => fromMedian(row.price) === null ? '–' : move(fromMedian(row.price))},
      {title: 'Volume', kind: 'number', sort: row => row.volume, cell: row => dollars(row.volume)},
      {title: 'Spread', kind: 'number minor', sort: row => row.spread, cell: row => row.spread === null ? '–' : `${leading(row.spread, 3)}%`},
      {title: 'Depth −2% / +2%', kind: 'number minor', sort: row => row.down, csv: row => row.down === null ? '' : `${row.down} / ${row.up}`, cell: row => row.down === null ? '–' : `${dollars(row.down)} / ${dollars(row.up)}`},
      {title: 'Traded', kind: 'number minor', sort: row => row.tradedAt, csv: row => row.tradedAt === null ? '' : new Date(row.tradedAt).toISOString(), cell: row => row.tradedAt === null ? '–' : `${span(scope.now() - row.tradedAt)} ago`},
      {title: 'State', sort: row => Number(Boolean(row.stale)) + 2 * Number(Boolean(row.anomaly)) + 4 * Number(Boolean(row.removed)), csv: row => [row.stale ? 'stale' : '', row.anomaly ? 'anomalous' : '', row.removed ? 'delisted' : ''].filter(Boolean).join(' '), cell: row => [row.stale ? chip('stale', 'warn') : null, row.anomaly ? chip('anomalous', 'bad') : null,
        row.removed ? chip('delisted', 'bad') : null]},
    ],
  });
  const contracts = new LiveTable({
    caption: 'Derivatives', empty: 'No contract of this coin has changed since the page was opened. The aggregate above has their sums.',
    order: 'Open interest', scope, parameter: 'contracts', limit: 150,
    columns: [
      {title: 'Contract', kind: 'wide', sort: row => row.symbol, cell: row => [name(row.symbol, 36),
        element('small.muted', {}, ` ${visible(row.exchange, 24)}`)]},
      {title: 'Price', kind: 'number', flash: true, sort: row => row.price, cell: row => price(row.price)},
      {title: 'Basis', kind: 'number', sort: row => row.basis, cell: row => move(row.basis)},
      {title: 'Open interest', kind: 'number', sort: row => row.interest, cell: row => dollars(row.interest)},
      {title: 'Funding', kind: 'number', sort: row => row.funding, cell: row => row.type === 'perpetual' ? move(row.funding) : '–'},
      {title: 'Type', kind: 'minor', sort: row => row.type, cell: row => visible(row.type ?? '', 20)},
    ],
  });
  const fromMedian = value => {
    const median = aggregates.venues?.median_usd;
    return number(value) === null || !median ? null : 100 * (value / median - 1);
  };

  const chart = candleChart(scope, 'ticker');
  const venueField = element('div');
  const charted = element('section', {hidden: true}, element('div.filters', {}, venueField), chart.node);
  let venue = null;
  let offered = '';
  const showVenue = key => {
    venue = key;
    charted.hidden = false;
    chart.show(key);
  };
  /** Offers the tickers by volume. The first one in dollars that is not stale is shown until somebody chooses another one. */
  const offerVenues = () => {
    const offers = tickers.values().filter(row => !row.removed).sort((a, b) => (b.volume ?? 0) - (a.volume ?? 0))
      .filter((row, place) => place < MOST_VENUES || tickerKey(coin, row) === (venue ?? scope.chosen('venue')));
    const rows = offers.map(row => [tickerKey(coin, row), `${row.marketName} ${row.pair}`]);
    if (venue === null && rows.length > 0) {
      const asked = scope.chosen('venue');
      const first = Math.max(0, offers.findIndex(row => DOLLARS.includes(row.target) && !row.stale));
      showVenue(rows.some(([key]) => key === asked) ? asked : rows[first][0]);
    }
    if (venue !== null && !rows.some(([key]) => key === venue)) {
      rows.push([venue, venue.slice(coin.length + 1)]); // delisted
    }
    const keys = rows.map(([key]) => key).sort().join();
    if (keys !== offered) {
      offered = keys;
      venueField.replaceChildren(select('Chart of', rows, venue, key => {
        scope.choose('venue', key, '');
        showVenue(key);
      }));
    }
  };

  const drawSummary = () => {
    const {venues, derivatives} = aggregates;
    summary.replaceChildren(figures(
      ['Median price', venues ? `$${price(venues.median_usd)}` : '–', venues ? `${count(venues.compared)} of ${count(venues.venues)} venues compared` : null],
      ['Spread of venues', venues?.spread_percent === undefined || venues?.spread_percent === null ? '–' : `${leading(venues.spread_percent, 3)}%`,
        venues?.cheapest ? `${visible(venues.cheapest.market, 20)} to ${visible(venues.dearest.market, 20)}` : null],
      ['Volume', dollars(venues?.volume_usd)],
      ['Open interest', dollars(derivatives?.open_interest_usd), derivatives ? `${count(derivatives.visible)} contracts` : null],
      ['Funding', move(derivatives?.funding_rate), 'mean by volume'],
      ['Basis', move(derivatives?.basis_percent), 'perpetuals, mean by volume']));
  };

  const readTickers = async () => {
    try {
      const path = `/coins/${encodeURIComponent(coin)}/tickers`;
      const pages = await readPages(scope, `/api/v3${path}`, 100, target => target.split('?')[0] === path);
      title.replaceChildren(name(pages[0].name || coin, 60));
      pages.flatMap(page => page.tickers).forEach(each => {
        const key = `${each.market.identifier}/${each.base}/${each.target}`;
        const {changed} = tickers.get(key) ?? {};
        tickers.set(key, {...tickerOf(each), ...changed, changed});
      });
      tickers.sayIfEmpty('The service lists no ticker of this coin.');
    } catch (failure) {
      tickers.sayProblem(visible(failure.message, 400));
    }
    offerVenues();
  };
  const readContracts = async exchange => {
    try {
      const body = await scope.json(`/api/v3/derivatives/exchanges/${encodeURIComponent(exchange)}?include_tickers=unexpired`);
      (body.tickers ?? []).filter(each => each.coin_id === coin).forEach(each => contracts.set(keyOf(exchange, each.symbol), {
        exchange, symbol: each.symbol, type: each.contract_type, price: number(each.last),
        basis: number(each.index_basis_percentage), interest: number(each.open_interest_usd), funding: number(each.funding_rate),
      }));
    } catch {
      // the feed below fills the table
    }
  };

  const title = element('h1', {}, name(coin, 60));
  const exchanges = new Set();
  let hasRead = false;
  scope.every(1000, () => tickers.refresh());
  scope.every(5000, offerVenues); // also while the list waits for its first whole snapshot
  scope.onStatus(status => {
    if (!hasRead) {
      hasRead = true;
      readTickers();
    }
    targetsOf(status).map(target => /^\/derivatives\/exchanges\/([^/?]+)/.exec(target.target)?.[1])
      .filter(each => each !== undefined && !exchanges.has(each))
      .forEach(exchange => {
        exchanges.add(exchange);
        readContracts(decodeURIComponent(exchange));
      });
  });
  scope.follow({topics: ['venues', 'derivatives'], from: 'beginning', key: coin, onRecord: record => {
    aggregates[record.topic] = record.value;
    drawSummary();
    tickers.refresh();
  }});
  scope.follow({topics: ['ticker.changes'], from: '1m', onRecord: record => {
    const change = record.value;
    if (change !== null && change.coin === coin) {
      const key = `${change.market}/${change.base}/${change.target}`;
      tickers.set(key, tickerAfter(tickers.get(key), change));
    }
  }});
  scope.follow({topics: ['contract.changes'], from: '1m', onRecord: record => {
    const change = record.value;
    if (change !== null && change.about.coin_id === coin) {
      if (change.removed) {
        contracts.delete(record.key);
      } else {
        contracts.set(record.key, contractAfter(contracts.get(record.key), change));
      }
    }
  }});
  drawSummary();

  return element('section.stacked', {},
    element('header.heading', {}, element('div', {}, element('div.named', {}, star({kind: 'coin', coin, name: coin}), title),
      element('p.muted', {}, 'Venues and derivatives of one coin'))),
    summary, charted,
    coinPriceAlertForm(scope, coin, () => aggregates.venues?.median_usd),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Tickers'), tickers.tools()), tickers.node),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Derivatives'), contracts.tools()), contracts.node));
}
