// The market on one screen: figures, movers, newest pools, entries of trending lists, open alerts, coverage.

import {poolLink} from '../change.js';
import {chip, element, figures, heading, identicon, move, name, nameLink, notice, paint, sameContent} from '../dom.js';
import {count, dollars, leading, millis, price, span, visible} from '../text.js';
import {networksOf, poolRow} from './pools.js';

const ROWS = 10;
const YOUNG = 900_000;

export function show(scope) {
  const market = {};
  const shares = new Map();
  const movers = new Map();
  const newest = new Map();
  const entries = [];
  const alerts = new Map();
  const figuresPlace = element('div');
  const panels = {
    movers: panel('Movers in 5 minutes', '#/movers', 'Waiting for the end of the minute.'),
    newest: panel('Newest pools', '#/new', 'No new pool has been observed yet.'),
    trending: panel('Entered a trending list', '#/trending', 'No pool has entered in the last 10 minutes.'),
    alerts: panel('Open alerts', '#/alerts', 'No alert is open.', '.double'),
    coverage: panel('Coverage', '#/coverage', 'Waiting for the source.'),
  };

  const draw = () => {
    const coins = [...shares.values()].filter(each => each.rank !== null).sort((a, b) => a.rank - b.rank).slice(0, 3);
    figuresPlace.replaceChildren(figures(
      ['Market cap', dollars(market.total_market_cap?.usd), element('span', {}, '24h ', move(market.market_cap_change_percentage_24h_usd))],
      ['Volume 24h', dollars(market.total_volume?.usd)],
      ...coins.map(each => [visible(each.coin, 12).toUpperCase(), `${leading(each.percentage, 4)}%`, 'of the market'])));
    const moved = [...movers.values()].flatMap(({network, m5}) => [...m5.gainers, ...m5.losers].map(each => ({...each, network})))
      .sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent)).slice(0, ROWS);
    panels.movers.show(moved.map(each => [pool(each.pool, each.name, each.network), price(each.price_usd), move(each.percent)]));
    panels.newest.show([...newest.values()].sort((a, b) => b.at - a.at).slice(0, ROWS).map(each =>
      [pool(each.id, each.name, each.network), dollars(each.reserve), span(scope.now() - each.at)]));
    panels.trending.show([...entries].sort((a, b) => b.at - a.at).slice(0, ROWS).map(each =>
      [pool(each.id, each.name, each.network), `${each.list} #${each.rank}`, span(scope.now() - each.at)]));
    panels.alerts.show([...alerts.values()].sort((a, b) => b.event_time - a.event_time).slice(0, ROWS).map(each =>
      [element('span.named', {}, chip(each.severity, each.severity), element('bdi.name', {title: visible(each.summary, 300)}, visible(each.summary, 160))),
        '', span(scope.now() - each.event_time)]));
    const source = scope.status?.sources[0];
    panels.coverage.show(source === undefined ? [] : coverage(source, scope.now()));
  };

  const readMarket = async () => {
    try {
      Object.assign(market, (await scope.json('/api/v3/global')).data);
    } catch {
      // the global market is not watched
    }
    paint(draw);
  };
  readMarket();
  scope.every(60_000, readMarket);
  const readNewest = async network => {
    try {
      const body = await scope.json(`/api/v3/onchain/networks/${encodeURIComponent(network)}/new_pools`);
      body.data.map(pool => poolRow(pool, network)).filter(each => each.createdAt !== null && !newest.has(each.id)).forEach(each =>
        newest.set(each.id, {id: each.id, network, at: each.createdAt, name: each.name, reserve: each.reserve}));
    } catch (failure) {
      if (failure.status !== 404) {
        networks.delete(network); // read again with the next status
      }
    }
    paint(draw);
  };
  const networks = new Set();
  scope.onStatus(status => {
    networksOf(status, 'new_pools').filter(each => !networks.has(each)).forEach(network => {
      networks.add(network);
      readNewest(network);
    });
    paint(draw);
  });
  scope.every(1000, () => paint(draw));
  scope.follow({topics: ['movers', 'dominance', 'alerts.state'], from: 'beginning', onRecord: ({topic, key, value}) => {
    const known = topic.endsWith('movers') ? movers : topic.endsWith('dominance') ? shares : alerts;
    if (value === null || (known === alerts && value.status !== 'firing')) {
      known.delete(key);
    } else {
      known.set(key, value);
    }
    paint(draw);
  }});
  scope.follow({topics: ['pool.listing'], from: '10m', onRecord: ({value}) => {
    if (value !== null && value.kind === 'trending' && value.action === 'entered' && !value.origin.baseline) {
      entries.push({id: value.pool, name: value.about?.name, network: value.network, list: value.list.split('/').pop(), rank: value.rank,
        at: value.origin.observed_at});
      entries.splice(0, entries.length - 10 * ROWS);
    }
  }});
  scope.follow({topics: ['pool.changes'], from: '1m', onRecord: ({key, value}) => {
    if (value !== null && (newest.has(key) || value.appeared?.kind === 'created' || scope.now() - (millis(value.about?.created_at) ?? 0) < YOUNG)) {
      const known = newest.get(key);
      newest.set(key, {id: key, network: value.network, at: known?.at ?? millis(value.about?.created_at) ?? value.origin.observed_at,
        name: value.about?.name ?? known?.name, reserve: value.about?.reserve_usd ?? known?.reserve ?? null});
      if (newest.size > 20 * ROWS) {
        newest.delete([...newest.values()].reduce((a, b) => a.at < b.at ? a : b).id);
      }
    }
  }});
  return element('section', {},
    heading('Overview', 'What the source watches, on one screen.'), figuresPlace,
    element('div.columns', {}, ...Object.values(panels).map(each => each.node)));
}

/** A panel with rows of three cells; the title leads to the view that has all of them. */
function panel(title, href, empty, size = '') {
  const body = element('tbody');
  const none = notice(empty);
  return {
    node: element(`section.panel${size}`, {}, element('h2', {}, element('a', {href}, title)),
      element('div.table', {role: 'region', 'aria-label': title, tabindex: '0'},
        element('table.grid.brief', {}, element('caption.hidden', {}, title), body), none)),
    show(rows) {
      rows.forEach(([first, ...rest], at) => {
        const line = element('tr', {}, element('td.wide', {}, first), ...rest.map(each => element('td.number', {}, each)));
        const drawn = body.children[at];
        if (drawn === undefined) {
          body.append(line);
        } else { // only cells that differ, so that a link that is pressed or has the focus stays
          [...line.children].forEach((cell, column) => !sameContent(cell, drawn.children[column])
            && drawn.children[column].replaceChildren(...cell.childNodes));
        }
      });
      [...body.children].slice(rows.length).forEach(line => line.remove());
      none.hidden = rows.length > 0;
    },
  };
}

function pool(id, known, network) {
  const address = id.slice(network.length + 1);
  return element('span.named', {}, identicon(address), nameLink(known || address, poolLink(network, address), 28),
    element('small.muted', {}, visible(network, 20)));
}

function coverage(source, now) {
  const ages = source.targets.filter(each => each.observedAt !== null && each.operation !== 'coin_history').map(each => now - each.observedAt);
  const failing = source.targets.filter(each => each.retry !== null).length;
  const budget = source.budget;
  return [
    [name(source.name, 40), '', chip(source.status, source.status === 'polling' ? 'good' : 'warn')],
    ['Targets', failing === 0 ? '' : `${count(failing)} fail`, count(source.targets.length)],
    ['Oldest observation', '', ages.length === 0 ? '–' : span(Math.max(...ages))],
    ...(budget === null ? [] : [['Calls of the month', '', `${count(budget.reserved ?? budget.spent)} of ${count(budget.per_month)}`]])];
}
