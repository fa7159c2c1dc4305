// Dominance: the share of each coin in the market, and the market as a whole.

import {bar, chip, element, figures, heading, move, paint, timeOf} from '../dom.js';
import {LiveTable} from '../table.js';
import {count, dollars, leading, number, visible} from '../text.js';
import {LinesChart} from './lines-chart.js';

const MOST_POINTS = 3_000; // of each coin
const LONGEST_AGE = 86_400; // of a point, in seconds

export function show(scope) {
  const market = {};
  const summary = element('div');
  const shares = new Map(); // by coin, of the last day
  const place = element('div.chart.low', {role: 'img', 'aria-label': 'Shares of the largest coins in the last 24 hours'});
  let chart = null;
  let isEnded = false;
  const table = new LiveTable({
    caption: 'Share of the market by coin', empty: 'Waiting for the aggregate dominance: it is written at the end of each minute.',
    order: 'Share', scope, limit: 50,
    columns: [
      {title: 'Rank', kind: 'number', sort: row => row.rank === null ? null : -row.rank, csv: row => row.rank ?? '', cell: row => row.rank === null ? '–' : String(row.rank)},
      {title: 'Coin', kind: 'wide', sort: row => row.coin, cell: row => element('bdi', {}, visible(row.coin, 20).toUpperCase())},
      {title: 'Share', kind: 'number', flash: true, sort: row => row.percentage, cell: row => `${leading(row.percentage, 5)}%`},
      {title: '', cell: row => bar(row.percentage / 100), always: true},
      {title: '1h', kind: 'number', sort: row => row.change_1h, cell: row => points(row.change_1h)},
      {title: '24h', kind: 'number', sort: row => row.change_24h, cell: row => points(row.change_24h)},
      {title: '', kind: 'minor', cell: row => row.listed ? '' : chip('not in the list', 'warn')},
      {title: 'As of', kind: 'number minor', sort: row => row.at, csv: row => new Date(row.at).toISOString(), cell: row => timeOf(row.at)},
    ],
  });
  const draw = () => summary.replaceChildren(figures(
    ['Market cap', dollars(market.total_market_cap?.usd), element('span', {}, '24h ', move(market.market_cap_change_percentage_24h_usd))],
    ['Volume 24h', dollars(market.total_volume?.usd), element('span', {}, '24h ', move(market.volume_change_percentage_24h_usd))],
    ['Coins', count(market.active_cryptocurrencies)],
    ['Markets', count(market.markets)],
    ['Updated', timeOf(number(market.updated_at) === null ? null : 1000 * market.updated_at)]));

  const read = async () => {
    try {
      Object.assign(market, (await scope.json('/api/v3/global')).data);
    } catch (failure) {
      table.sayProblem(visible(failure.message, 300));
    }
    draw();
  };
  read();
  scope.follow({topics: ['dominance'], from: 'beginning', onRecord: record => {
    if (record.value === null) {
      table.delete(record.key);
    } else {
      table.set(record.key, record.value);
    }
  }});
  const drawChart = () => {
    shares.forEach((points, coin) => {
      const recent = points.filter(point => scope.now() / 1000 - point.time <= LONGEST_AGE);
      recent.length > 0 ? shares.set(coin, recent) : shares.delete(coin);
    });
    const largest = [...shares].sort(([, a], [, b]) => b.at(-1).value - a.at(-1).value).slice(0, 5);
    place.hidden = largest.every(([, points]) => points.length < 2);
    if (!isEnded && !place.hidden) {
      chart ??= new LinesChart(place, value => `${leading(value, 4)}%`);
      chart.show(largest.map(([coin, points]) => [visible(coin, 12).toUpperCase(), points]));
    }
  };
  scope.onEnd(() => {
    isEnded = true;
    chart?.close();
  });
  drawChart();
  scope.every(60_000, () => paint(drawChart));
  scope.follow({topics: ['global.changes'], from: '1d', onRecord: record => {
    const change = record.value;
    Object.entries(change?.dominance?.after?.market_cap_percentage ?? {}).filter(([, share]) => number(share) !== null)
      .forEach(([coin, share]) => {
        const points = shares.get(coin) ?? shares.set(coin, []).get(coin);
        points.push({time: change.origin.observed_at / 1000, value: Number(share)});
        points.splice(0, points.length - MOST_POINTS);
      });
    paint(drawChart);
    for (const facet of ['counts', 'market_cap', 'volume', 'times']) {
      Object.assign(market, change?.[facet]?.after ?? {});
    }
    draw();
  }});
  return element('section.stacked', {},
    heading('Dominance', 'The share of each coin in the market, as the service sends it; changes are in percentage points.', table.tools()), summary, element('div.panel', {}, element('h2', {}, 'Shares of the last 24 hours'), place), table.node);
}

function points(value) {
  const amount = number(value);
  return amount === null ? '–' : element(`span.move.${amount > 0 ? 'up' : amount < 0 ? 'down' : 'flat'}`, {},
    `${amount > 0 ? '+' : amount < 0 ? '−' : ''}${leading(Math.abs(amount), 3)}`);
}
