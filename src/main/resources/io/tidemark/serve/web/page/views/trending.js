// Trending pools by network and duration, in their order, with moves of rank and time in the list.

import {poolLink} from '../change.js';
import {targetsOf} from '../condition.js';
import {chip, choice, element, heading, nameLink, notice, select, timeOf} from '../dom.js';
import {readPools} from '../pages.js';
import {LastHour} from '../sparklines.js';
import {LiveTable} from '../table.js';
import {span} from '../text.js';
import {listingText, rankMove} from './listing.js';
import {PoolFilters} from './pool-filters.js';
import {networksOf, poolColumns, poolRow, updateRow} from './pools.js';

export function show(scope) {
  const asked = {network: scope.chosen('network', null), duration: scope.chosen('duration', null)};
  const chosen = {...asked}; // what was asked for, while it is watched
  const stays = new Map();
  const moved = new Map();
  const ranks = new Map();
  let lists = [];
  let loading = 0;
  let reloadAt = 0;

  const lastHour = new LastHour(scope, pool => table.get(pool) && table.set(pool, table.get(pool)));
  const filters = new PoolFilters(scope, ['exchange', 'liquidity', 'cap', 'volume', 'trades', 'age', 'text'], () => table.refresh());
  const table = new LiveTable({
    caption: 'Trending pools', empty: 'Waiting for the list.', order: '#', descending: false, limit: 200, scope,
    filter: row => filters.passes(row, scope.now()),
    columns: [
      {title: '#', kind: 'number', sort: row => row.rank, cell: row => String(row.rank)},
      {title: 'Moved', kind: 'minor', csv: row => moved.get(row.id)?.by ?? '', cell: row => rankMove(moved.get(row.id), scope.now())},
      ...poolColumns(scope, lastHour, ['Pool', 'Price', '5m', '1h', '24h', 'Last hour', 'Volume 24h', 'Liquidity']),
      {title: 'In list', kind: 'number minor', sort: row => stayOf(row.id)?.seconds, cell: row => {
        const stay = stayOf(row.id);
        return stay === undefined ? '–' : span(1000 * stay.seconds);
      }},
      {title: 'Best', kind: 'number minor', optional: true, sort: row => stayOf(row.id)?.best_rank, cell: row => stayOf(row.id)?.best_rank ?? '–'},
      {title: 'Also in', kind: 'minor', sort: row => alsoIn(row.id).length, csv: row => alsoIn(row.id).map(stay => `${stay.duration} #${stay.rank}`).join(' '),
        cell: row => alsoIn(row.id).map(stay => chip(`${stay.duration} #${stay.rank}`))},
    ],
  });
  const alsoIn = id => (stays.get(id)?.stays ?? []).filter(stay => stay.rank !== null && stay.duration !== chosen.duration);
  const tools = element('div.filters');
  const happenings = element('ul.happenings', {'aria-label': 'Moves of rank'});
  const happened = notice('No move of rank yet.');

  const stayOf = id => stays.get(id)?.stays.find(stay => stay.duration === chosen.duration);
  const listId = () => `${chosen.network}/trending/${chosen.duration}`;

  const showLists = () => {
    const networks = [...new Set(lists.map(list => list.network))];
    chosen.network = networks.includes(asked.network) ? asked.network
      : networks.reduce((a, b) => lengthOf(lists, b) > lengthOf(lists, a) ? b : a);
    const durations = lists.filter(list => list.network === chosen.network).map(list => list.duration);
    chosen.duration = [asked.duration, '1h', durations[0]].find(each => durations.includes(each));
    tools.replaceChildren(
      select('Network', networks.map(each => [each, each]), chosen.network, network => {
        asked.network = network;
        scope.choose('network', network);
        showLists();
        reset();
      }),
      choice('Duration', durations.map(each => [each, each]), chosen.duration, duration => {
        asked.duration = duration;
        chosen.duration = duration;
        scope.choose('duration', duration);
        reset();
      }));
  };

  const reset = () => {
    table.clear();
    ranks.clear();
    moved.clear();
    happenings.replaceChildren();
    happened.hidden = false;
    load();
  };

  const load = async () => {
    const mine = ++loading;
    reloadAt = scope.now() + 30_000;
    try {
      const path = `/networks/${encodeURIComponent(chosen.network)}/trending_pools`;
      const pools = await readPools(scope, `/api/v3/onchain${path}?duration=${encodeURIComponent(chosen.duration)}&include=dex`,
        target => target.startsWith(path) && durationOf(target) === chosen.duration);
      if (mine !== loading) {
        return;
      }
      table.sayProblem(null);
      const present = new Set(pools.map(pool => pool.id));
      table.values().filter(row => !present.has(row.id)).forEach(row => table.delete(row.id));
      pools.forEach((pool, at) => {
        const before = ranks.get(pool.id);
        if (ranks.size > 0 && before !== at + 1 && !moved.has(pool.id)) {
          moved.set(pool.id, {at: scope.now(), by: before === undefined ? null : before - at - 1});
        }
        const row = {...poolRow(pool, chosen.network), rank: at + 1};
        filters.see(row);
        table.set(pool.id, row);
      });
      ranks.clear();
      pools.forEach((pool, at) => ranks.set(pool.id, at + 1));
    } catch (failure) {
      table.sayProblem(`The list cannot be read: ${failure.message}`);
    }
  };

  const onListing = listing => {
    if (listing.list !== listId()) {
      return;
    }
    const at = listing.origin.observed_at;
    if (!listing.origin.baseline && at >= (moved.get(listing.pool)?.at ?? 0)) {
      moved.set(listing.pool, {at, by: listing.action === 'moved' ? listing.rank_before - listing.rank : null});
    }
    if (!listing.origin.baseline) {
      happened.hidden = true;
      const line = element('li', {},
        element('span.muted.time', {}, timeOf(at)),
        nameLink(listing.about?.name || listing.pool, poolLink(listing.network, listing.pool.slice(listing.network.length + 1)), 24),
        listingText(listing));
      line.at = at;
      happenings.insertBefore(line, [...happenings.children].find(each => each.at <= at) ?? null); // partitions come one by one
      while (happenings.childElementCount > 40) {
        happenings.lastElementChild.remove();
      }
    }
    reloadAt = Math.min(reloadAt, scope.now() + 1_000);
  };

  scope.onStatus(status => {
    const found = [];
    for (const network of networksOf(status, 'trending_pools')) {
      const durations = targetsOf(status)
        .filter(target => target.target.startsWith(`/networks/${encodeURIComponent(network)}/trending_pools`))
        .map(target => durationOf(target.target));
      [...new Set(durations)].sort((a, b) => minutes(a) - minutes(b)).forEach(duration => found.push({network, duration}));
    }
    if (found.length === 0) {
      table.sayIfEmpty('No trending list is watched.');
    } else if (JSON.stringify(found) !== JSON.stringify(lists)) {
      lists = found;
      showLists();
      reset();
    }
  });
  scope.follow({topics: ['trending'], from: 'beginning', onRecord: record => {
    if (record.value === null) {
      stays.delete(record.key);
    } else {
      stays.set(record.key, record.value);
    }
  }});
  scope.follow({topics: ['pool.changes', 'pool.listing'], from: '3m', onRecord: record => {
    if (record.topic.endsWith('pool.listing')) {
      onListing(record.value);
    } else {
      const row = table.get(record.key);
      if (row !== undefined && record.value !== null) {
        table.set(record.key, updateRow(row, record.value));
      }
    }
  }});
  scope.every(1000, () => {
    if (lists.length > 0 && scope.now() >= reloadAt) {
      load();
    }
    table.refresh();
  });

  return element('section', {},
    heading('Trending', 'The watched trending lists in the order of the service. A move of rank stays marked for two minutes.', table.tools()),
    tools, filters.node,
    element('div.with-aside.broad', {}, table.node,
      element('aside.panel', {}, element('h2', {}, 'Entered, exited, moved'), happenings, happened)));
}

/** How many lists a network has. */
function lengthOf(lists, network) {
  return lists.filter(list => list.network === network).length;
}

function durationOf(target) {
  return /[?&]duration=([^&]+)/.exec(target)?.[1] ?? '24h';
}

function minutes(duration) {
  return Number.parseInt(duration, 10) * (duration.endsWith('h') ? 60 : 1);
}
