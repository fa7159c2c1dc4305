// Treasuries: what companies and governments hold, and what they bought and sold.

import {chip, element, figures, heading, move, name, notice, paint} from '../dom.js';
import {LiveTable} from '../table.js';
import {compact, counted, dollars, leading, moment, number, span, visible} from '../text.js';
import {holdersOf, holdersTable} from './holders.js';
import {LinesChart} from './lines-chart.js';

const LONGEST_AGE = 30 * 86_400_000;

export function show(scope) {
  const coins = new Map();
  const summary = element('div');
  const place = element('div.chart.low', {role: 'img', 'aria-label': 'Coins held by all treasuries in the last 30 days'});
  const noChart = notice('No holding has changed in the last 30 days that were watched.');
  let chart = null;
  let isEnded = false;
  const trades = new LiveTable({
    caption: 'Buys and sells, newest first', empty: 'Nobody bought or sold in the last 30 days that were watched.', order: 'Observed', scope, limit: 200,
    columns: [
      {title: 'Observed', kind: 'number', sort: row => row.at, csv: row => new Date(row.at).toISOString(), cell: row => moment(row.at)},
      {title: 'Entity', kind: 'wide', sort: row => row.entity, cell: row => name(row.entity, 36)},
      {title: 'Change', kind: 'minor', sort: row => row.what, cell: row => chip(row.what, row.what === 'bought' || row.what === 'opened' ? 'good' : 'bad')},
      {title: 'Coin', kind: 'minor', sort: row => row.coin, cell: row => element('bdi', {}, visible(row.coin, 24))},
      {title: 'Amount', kind: 'number', sort: row => Math.abs(row.by), csv: row => row.by, cell: row => [
        element(`span.${row.by > 0 ? 'up' : 'down'}`, {}, `${row.by > 0 ? '+' : '−'}${compact(Math.abs(row.by))}`)]},
      {title: 'Worth', kind: 'number minor', sort: row => row.worth, cell: row => dollars(row.worth)},
      {title: 'Holds', kind: 'number', sort: row => row.after, cell: row => compact(row.after)},
      {title: 'Move', kind: 'number minor', sort: row => row.before ? 100 * (row.after / row.before - 1) : null, cell: row => row.before ? move(100 * (row.after / row.before - 1)) : '–'},
    ],
  });
  const holders = holdersTable(scope, 'Largest holders',
    'Waiting for the aggregate treasuries: it is written at the end of each minute.');
  const draw = () => summary.replaceChildren(figures(...[...coins.values()].sort((a, b) => b.value_usd - a.value_usd).slice(0, 8).map(each => [
    visible(each.coin, 24), dollars(each.value_usd), `${compact(each.amount)} coins, ${counted(each.holders, 'holder')}, `
      + `${leading(each.percentage_of_total_supply, 3)}% of supply, entry ${dollars(each.entry_value_usd)}; ${span(scope.now() - each.at)} ago`])));

  /** Back from what is held now, by what was bought and sold since; in percent of what is held now, so that coins can be compared. */
  const drawChart = () => {
    const lines = [...coins.values()].sort((a, b) => b.value_usd - a.value_usd).slice(0, 4)
      .map(each => [each.coin, heldInPercent(each, trades.values().filter(trade => trade.coin === each.coin), scope.now())])
      .filter(([, points]) => points.length > 1);
    noChart.hidden = lines.length > 0;
    place.hidden = lines.length === 0;
    if (!isEnded && lines.length > 0) {
      chart ??= new LinesChart(place, value => `${leading(value, 4)}%`);
      chart.show(lines);
    }
  };
  scope.onEnd(() => {
    isEnded = true;
    chart?.close();
  });
  drawChart();
  scope.follow({topics: ['treasuries'], from: 'beginning', onRecord: record => {
    holders.values().filter(holder => holder.coin === record.key).forEach(holder => holders.delete(holder.id)); // some may not be among the largest any more
    if (record.value === null) {
      coins.delete(record.key);
    } else {
      coins.set(record.key, record.value);
      paint(drawChart);
      holdersOf(record.value).forEach(holder => holders.set(holder.id, holder));
    }
    draw();
  }});
  scope.follow({topics: ['holding.changes'], from: '30d', onRecord: record => {
    const trade = tradeOf(record);
    if (trade !== null) {
      const id = `${record.partition}/${record.offset}`;
      trades.set(id, {...trade, id});
      paint(drawChart);
    }
  }});
  scope.every(1000, () => {
    const old = trades.values().filter(trade => scope.now() - trade.at > LONGEST_AGE);
    if (old.length > 0) {
      old.forEach(trade => trades.delete(trade.id));
      paint(drawChart);
    }
    if (coins.size > 0) {
      draw();
    }
  });

  return element('section.stacked', {},
    heading('Treasuries', 'Coins that companies and governments report to hold. A buy or sell is a change of a reported amount.'),
    summary,
    element('div.panel', {}, element('h2', {}, 'Coins held over 30 days, in percent of what is held now'), place, noChart),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Buys and sells'), trades.tools()), trades.node),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Largest holders'), holders.tools()), holders.node));
}

/** What all treasuries held of a coin, in percent of what they hold now: [{time, value}] in order of time. */
export function heldInPercent(coin, trades, now) {
  const points = [{time: now / 1000, value: 100}];
  let held = coin.amount;
  const byTime = new Map(); // one poll shows the trades of several entities
  trades.forEach(trade => byTime.set(trade.at, (byTime.get(trade.at) ?? 0) + trade.by));
  [...byTime].sort(([a], [b]) => b - a).forEach(([at, by]) => {
    points.push({time: at / 1000, value: 100 * held / coin.amount});
    held -= by;
    points.push({time: at / 1000 - 1, value: 100 * held / coin.amount});
  });
  return trades.length === 0 ? [] : points.reverse();
}

/** The buy or sell that a change of a holding tells of; null if it tells of none. */
function tradeOf(record) {
  const change = record.value;
  if (change === null || change.origin?.baseline) {
    return null;
  }
  const before = number(change.position?.before?.amount) ?? 0;
  const after = number(change.position?.after?.amount);
  const closed = change.removed?.reason === 'closed';
  const opened = Boolean(change.appeared);
  if (!closed && (after === null || after === before || (!opened && !change.position.before))) {
    return null;
  }
  const holds = closed ? 0 : after;
  const had = closed ? after ?? number(change.about?.amount) ?? 0 : before;
  const unit = change.about?.amount ? (change.about.value_usd ?? 0) / change.about.amount : null;
  return {
    at: change.origin.observed_at,
    entity: change.about?.entity_name || change.entity,
    coin: change.coin_id,
    what: closed ? 'closed' : opened ? 'opened' : holds > had ? 'bought' : 'sold',
    before: had, after: holds, by: holds - had,
    worth: unit ? Math.abs(holds - had) * unit : null,
  };
}
