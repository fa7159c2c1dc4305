// One pool: price, candles with volume and liquidity, its rankings, its changes before and after.

import {Candles, INTERVALS} from '../candles.js';
import {isFollowing, saysSomething, summary} from '../change.js';
import {choice, element, figures, move, name, notice, paint} from '../dom.js';
import {clock, compact, count, dollars, leading, millis, moment, number, price, shortened, span, visible} from '../text.js';
import {PoolChart} from './chart.js';
import {priceAlertForm} from '../price-alert.js';
import {star} from '../watchlist.js';
import {changeDetails} from './details.js';

const MOST_CHANGES = 120;

export function show(scope) {
  const [network, address] = scope.parameters.path;
  if (network === undefined || address === undefined) {
    return notice('The address of a pool’s view is #/pool/<network>/<address>.', 'bad');
  }
  const id = `${network}_${address}`;
  const attributes = {};
  let about = {};
  let interval = INTERVALS.find(each => each.label === scope.chosen('interval')) ?? INTERVALS[0];
  let candles = new Candles(interval);
  let openCandles = null;
  let stopCandles = null;
  let caughtUp = false;
  let folded = 0;
  const liquidity = [];
  let chart = null;
  let isEnded = false;

  const title = element('h1', {}, name(address, 24));
  const copyButton = element('button.small', {type: 'button', onclick: () => copy(address, copyButton)}, 'Copy');
  const mark = element('span', {}, star({kind: 'pool', network, address, name: address}));
  const subtitle = element('p.muted');
  const priceText = element('span.price', {'aria-live': 'off'}, '–');
  const moves = element('span');
  const facts = element('div');
  const chartPlace = element('div.chart', {role: 'img', 'aria-label': 'Candles, volume and liquidity'});
  const chartNotice = notice('Reading candles.');
  const legend = element('p.muted', {}, '');
  const rankings = element('div');
  const changes = element('tbody.folding');
  const noChanges = notice('No change yet.');
  const problem = element('p.notice.box.warn', {hidden: true});

  const drawFacts = () => {
    const value = path => path.split('.').reduce((record, key) => record?.[key], attributes);
    const shownName = value('description.name') ?? about.name;
    if (shownName) {
      if (shownName !== title.textContent) {
        title.replaceChildren(name(shownName, 60));
        mark.replaceChildren(star({kind: 'pool', network, address, name: shownName}));
      }
      document.title = `${visible(shownName, 40)} · Tidemark`;
    }
    const created = millis(value('description.pool_created_at') ?? about.created_at);
    subtitle.replaceChildren(`${visible(network)} · `, name(about.dex ?? value('description.dex') ?? 'no exchange named', 30),
      created === null ? '' : ` · created ${moment(created)} (${span(scope.now() - created)} ago)`, ' · ',
      element('span', {title: visible(address, 200)}, shortened(address, 20)), ' ',
      copyButton);
    priceText.textContent = `$${price(value('price.base_token_price_usd') ?? about.price_usd)}`;
    const changed = value('activity.price_change_percentage') ?? {};
    moves.replaceChildren(...['m5', 'h1', 'h6', 'h24'].filter(window => number(changed[window]) !== null)
      .flatMap(window => [element('small.muted', {}, `${window.slice(1)}${window[0]} `), move(changed[window]), '  ']));
    const trades = value('activity.transactions.h24');
    facts.replaceChildren(figures(
      ['Reserve', dollars(value('liquidity.reserve_in_usd') ?? about.reserve_usd)],
      ['Volume 24h', dollars(value('activity.volume_usd.h24')), `1h ${dollars(value('activity.volume_usd.h1'))}`],
      ['Trades 24h', trades ? [element('span.up', {}, compact(trades.buys)), ' / ', element('span.down', {}, compact(trades.sells))] : '–',
        'buys / sells'],
      ['FDV', dollars(value('valuation.fdv_usd'))],
      ['Market cap', dollars(value('valuation.market_cap_usd'))],
      ...(number(value('launchpad.launchpad_details.graduation_percentage')) === null ? [] : [[
        'Bonding curve', `${value('launchpad.launchpad_details.graduation_percentage')}%`,
        value('launchpad.launchpad_details.completed') ? 'completed' : 'graduation']]),
      ...(number(value('lock.locked_liquidity_percentage')) === null ? [] : [[
        'Locked', `${leading(number(value('lock.locked_liquidity_percentage')), 3)}%`]])));
  };

  const drawChart = () => {
    if (isEnded) {
      return; // asked for before the view was left
    }
    const bars = candles.bars(scope.now());
    chartNotice.hidden = bars.length > 0;
    chartPlace.hidden = bars.length === 0;
    if (bars.length === 0) {
      chartNotice.textContent = caughtUp
        ? `No ${interval.label} candle of this pool: its price has not changed since ${interval.from} ago.` : 'Reading candles.';
      return;
    }
    chart ??= new PoolChart(chartPlace);
    chart.show(interval.label, bars, candles.closed, liquidity);
    const last = bars.at(-1);
    legend.textContent = `${interval.label} from ${clock(last.time * 1000)}: open ${price(last.open)}, high ${price(last.high)}, `
      + `low ${price(last.low)}, close ${price(last.close)}`
      + (last.volume === null || last.volume === undefined ? '' : `, volume about ${dollars(last.volume)} ± ${dollars(last.error)}`)
      + (last.isOpen ? ' (open)' : last.filled ? ' (no change)' : '');
  };

  const openInterval = label => {
    interval = INTERVALS.find(each => each.label === label);
    candles = new Candles(interval);
    candles.open(openCandles);
    caughtUp = false;
    chart?.clear();
    stopCandles?.();
    const mine = candles;
    stopCandles = scope.follow({
      topics: [`pool.candles.${label}`], from: interval.from, key: id,
      onRecord: record => {
        if (record.value !== null) {
          mine.add(record.value);
          paint(drawChart);
        }
      },
      onCaughtUp: () => {
        caughtUp = true;
        paint(drawChart);
      },
    });
    paint(drawChart);
  };

  const merge = facets => {
    for (const [facet, values] of Object.entries(facets)) {
      if (values !== null && typeof values === 'object') {
        attributes[facet] = {...attributes[facet], ...values};
      }
    }
  };

  const onChange = record => {
    const change = record.value;
    noChanges.hidden = true;
    if (change === null) {
      return;
    }
    about = {...about, ...Object.fromEntries(Object.entries(change.about ?? {}).filter(([, value]) => value !== null))};
    merge(Object.fromEntries(Object.entries(change).filter(([, value]) => value?.after).map(([facet, value]) => [facet, value.after])));
    const reserve = number(change.liquidity?.after?.reserve_in_usd);
    if (reserve !== null) {
      liquidity.push({time: change.origin.observed_at / 1000, value: reserve});
      if (liquidity.length > 5_000) {
        liquidity.splice(0, 1_000);
      }
      paint(drawChart);
    }
    paint(drawFacts);
    if (saysSomething(change)) {
      folded += isFollowing('pool', change) ? 1 : 0;
      pending.push(record);
      if (pending.length > MOST_CHANGES) {
        pending.shift();
      }
      paint(drawChanges);
    }
  };
  const pending = [];

  const foldButton = element('button.small', {type: 'button', 'aria-pressed': 'false', onclick: () => {
    changes.classList.toggle('folding');
    fold();
  }});
  const fold = () => {
    const isFolding = changes.classList.contains('folding');
    foldButton.setAttribute('aria-pressed', String(!isFolding));
    foldButton.textContent = isFolding && folded > 0 ? `Caps and windows: ${count(folded)} folded` : 'Caps and windows';
  };
  fold();

  const drawChanges = () => {
    changes.prepend(...pending.splice(0).sort((a, b) => b.timestamp - a.timestamp).map(changeRow));
    fold();
    while (changes.childElementCount > MOST_CHANGES) {
      changes.lastElementChild.remove();
    }
  };

  const drawRankings = trending => {
    const stays = (trending?.stays ?? []);
    rankings.replaceChildren(stays.length === 0 ? notice('In no watched trending list.') : element('table.plain', {},
      element('caption.hidden', {}, 'Rankings of this pool'),
      element('thead', {}, element('tr', {}, ...['List', 'Rank', 'Best', 'Entered', 'In list']
        .map((each, at) => element(`th${at > 0 ? '.number' : ''}`, {scope: 'col'}, each)))),
      element('tbody', {}, ...stays.map(stay => element('tr', {},
        element('th', {scope: 'row'}, element('a', {href: `#/trending?network=${encodeURIComponent(network)}&duration=${encodeURIComponent(stay.duration)}`},
          visible(stay.duration))),
        element('td.number', {}, stay.rank === null ? 'exited' : String(stay.rank)),
        element('td.number', {}, String(stay.best_rank ?? '–')),
        element('td.number', {}, `${stay.entries}×`),
        element('td.number', {}, span(1000 * stay.seconds)))))));
  };

  const readMirror = async () => {
    try {
      const {data} = await scope.json(`/api/v3/onchain/networks/${encodeURIComponent(network)}/pools/${encodeURIComponent(address)}?include=dex`);
      const all = data.attributes;
      merge({
        description: {name: all.name, pool_created_at: all.pool_created_at, dex: data.relationships?.dex?.data?.id ?? null},
        price: {base_token_price_usd: all.base_token_price_usd},
        liquidity: {reserve_in_usd: all.reserve_in_usd},
        activity: {price_change_percentage: all.price_change_percentage, volume_usd: all.volume_usd, transactions: all.transactions},
        valuation: {fdv_usd: all.fdv_usd, market_cap_usd: all.market_cap_usd},
        ...(all.launchpad_details ? {launchpad: {launchpad_details: all.launchpad_details}} : {}),
        ...(all.locked_liquidity_percentage ? {lock: {locked_liquidity_percentage: all.locked_liquidity_percentage}} : {}),
      });
      problem.hidden = true;
      paint(drawFacts);
    } catch (failure) {
      problem.textContent = `What is known of this pool cannot be read: ${visible(failure.message, 300)}`;
      problem.hidden = false;
    }
  };

  drawRankings(null);
  readMirror();
  openInterval(interval.label);
  scope.follow({topics: ['pool.candles.open', 'trending'], from: 'beginning', key: id, onRecord: record => {
    if (record.topic.endsWith('trending')) {
      drawRankings(record.value);
    } else {
      openCandles = record.value;
      candles.open(openCandles);
      paint(drawChart);
    }
  }});
  scope.follow({topics: ['pool.changes'], from: '6h', key: id, onRecord: onChange});
  scope.every(1000, () => paint(drawFacts));
  scope.every(5000, () => paint(drawChart));
  scope.onEnd(() => {
    isEnded = true;
    chart?.close();
  });

  return element('section', {},
    element('header.heading', {}, element('div', {}, element('div.named', {}, mark, title), subtitle),
      element('div.tools', {}, moves, priceText)),
    problem, facts,
    element('div.with-aside', {},
      element('div.panel', {},
        element('div.filters', {}, choice('Interval', INTERVALS.map(each => [each.label, each.label]), interval.label, label => {
          scope.choose('interval', label, INTERVALS[0].label);
          openInterval(label);
        }), legend),
        chartPlace, chartNotice),
      element('aside.panel', {}, element('h2', {}, 'Rankings'), rankings)),
    priceAlertForm(scope, {network, address}, () => attributes.price?.base_token_price_usd ?? about.price_usd),
    element('div.panel', {}, element('header.heading', {}, element('h2', {}, 'Changes'), foldButton),
      element('div.table', {role: 'region', 'aria-label': 'Changes of this pool', tabindex: '0'},
        element('table.grid.log', {}, element('caption.hidden', {}, 'Changes of this pool, newest first'),
          element('thead', {}, element('tr', {}, ...['Time', 'Change', 'Before', 'After', 'Price move', 'From'].map((each, at) =>
            element(`th${at >= 2 && at <= 4 ? '.number' : at === 5 ? '.minor' : ''}`, {scope: 'col'}, each)), element('td.minor'))),
          changes), noChanges)));
}

async function copy(text, button) {
  if (navigator.clipboard === undefined) { // the page is not from this machine and not over TLS
    button.replaceChildren(text);
  } else {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  }
}

function changeRow(record) {
  const change = record.value;
  const described = summary('pool', change);
  const row = element(isFollowing('pool', change) ? 'tr.following' : 'tr', {},
    element('td.time', {}, clock(record.timestamp)),
    element('td', {}, described.attribute === undefined ? element(`span.${described.tone}`, {}, described.text)
      : [described.label, described.otherMove === null ? null : element('span.muted.figure', {}, ` ${described.otherMove}`),
        described.more > 0 ? element('span.muted', {}, ` +${described.more}`) : null].filter(Boolean)),
    element('td.number', {}, described.before ?? ''),
    element('td.number', {}, described.after ?? ''),
    element('td.number', {}, described.move === undefined || described.move === null ? '' : move(described.move)),
    element('td.minor.muted', {}, visible(change.origin?.operation)),
    element('td.minor', {}, element('button.small', {type: 'button', 'aria-expanded': 'false', onclick: event => {
      const open = row.nextElementSibling?.classList.contains('details');
      event.currentTarget.setAttribute('aria-expanded', String(!open));
      if (open) {
        row.nextElementSibling.remove();
      } else {
        row.after(element('tr.details', {}, element('td', {colspan: '7'}, changeDetails(change, record.key))));
      }
    }}, 'Details')));
  return row;
}
