// One pool: price, chart, trades by window, rankings, other pools of its token, its changes before and after.

import {poolLink} from '../change.js';
import {changeButton} from '../commands.js';
import {chip, element, figures, identicon, move, name, nameLink, notice, paint} from '../dom.js';
import {placesOf} from '../networks.js';
import {poolPriceAlertForm} from '../price-alert.js';
import {canonicalAddress, dollars, leading, millis, moment, number, price, shortened, span, visible} from '../text.js';
import {star} from '../watchlist.js';
import {candleChart} from './candle-chart.js';
import {poolChanges} from './pool-changes.js';
import {rankingsTable, windowsTable} from './pool-tables.js';

export function show(scope) {
  const [network, given] = scope.parameters.path;
  if (network === undefined || given === undefined) {
    return notice('The address of a pool’s view is #/pool/<network>/<address>.', 'bad');
  }
  const address = canonicalAddress(given);
  const id = `${network}_${address}`;
  const attributes = {};
  let about = {};
  const earlier = {about: {}, facets: {}};
  let isRead = false;
  let isCaughtUp = false;
  let isRemoved = false;
  let isVisible = true;
  const chart = candleChart(scope, 'pool');
  const changes = poolChanges();
  const title = element('h1', {}, name(address, 24));
  const copyButton = element('button.small', {type: 'button', onclick: () => copy(address, copyButton)}, 'Copy');
  const mark = element('span', {}, star({kind: 'pool', network, address, name: address}));
  const state = element('span');
  const origin = element('span');
  const elsewhere = element('span');
  placesOf(network, address).then(places => elsewhere.replaceChildren(...places.flatMap(([title, href]) =>
    [' · ', element('a', {href, rel: 'noreferrer', target: '_blank'}, title)])));
  const subtitle = element('p.muted', {}, origin, element('span', {title: visible(address, 200)}, shortened(address, 20)), ' ', copyButton,
    elsewhere);
  const priceText = element('span.price', {'aria-live': 'off'}, '–');
  const moves = element('span');
  const facts = element('div');
  const activity = element('div');
  const rankings = element('div');
  const others = element('div', {}, notice('Reading.'));
  const problem = element('p.notice.box.warn', {hidden: true});

  const draw = () => {
    const value = path => path.split('.').reduce((record, key) => record?.[key], attributes);
    const shownName = value('description.name') ?? about.name;
    if (shownName) {
      if (shownName !== title.textContent) {
        title.replaceChildren(name(shownName, 60));
        mark.replaceChildren(star({kind: 'pool', network, address, name: shownName}));
      }
      const titlePrice = isRemoved ? '' : `${price(value('price.base_token_price_usd') ?? about.price_usd)} `;
      scope.title(`${titlePrice}${visible(shownName, 40)}`);
    }
    state.replaceChildren(...isRemoved ? [chip('removed', 'bad')] : isVisible ? [] : [chip('not visible', 'warn')]);
    const created = millis(value('description.pool_created_at') ?? about.created_at);
    origin.replaceChildren(`${visible(network)} · `, name(about.dex ?? value('description.dex') ?? 'no exchange named', 30),
      created === null ? '' : ` · created ${moment(created)} (${span(scope.now() - created)} ago)`, ' · ');
    priceText.textContent = `$${price(value('price.base_token_price_usd') ?? about.price_usd)}`;
    const changed = value('activity.price_change_percentage') ?? {};
    moves.replaceChildren(...['m5', 'h1', 'h6', 'h24'].filter(window => number(changed[window]) !== null)
      .flatMap(window => [element('small.muted', {}, `${window.slice(1)}${window[0]} `), move(changed[window]), '  ']));
    facts.replaceChildren(figures(
      ['Liquidity', dollars(value('liquidity.reserve_in_usd') ?? about.reserve_usd)],
      ['Volume 24h', dollars(value('activity.volume_usd.h24')), `1h ${dollars(value('activity.volume_usd.h1'))}`],
      ['FDV', dollars(value('valuation.fdv_usd'))],
      ['Market cap', dollars(value('valuation.market_cap_usd'))],
      ...(number(value('launchpad.launchpad_details.graduation_percentage')) === null ? [] : [[
        'Bonding curve', `${value('launchpad.launchpad_details.graduation_percentage')}%`,
        value('launchpad.launchpad_details.completed') ? 'completed' : 'graduation']]),
      ...(number(value('lock.locked_liquidity_percentage')) === null ? [] : [[
        'Locked', `${leading(number(value('lock.locked_liquidity_percentage')), 3)}%`]])));
    activity.replaceChildren(windowsTable(value('activity.transactions') ?? {}, value('activity.volume_usd') ?? {}));
  };
  const merge = facets => {
    for (const [facet, values] of Object.entries(facets)) {
      if (values !== null && typeof values === 'object') {
        attributes[facet] = {...attributes[facet], ...values};
      }
    }
    paint(draw);
  };
  const take = () => {
    about = earlier.about;
    merge(earlier.facets);
    earlier.facets = {};
  };
  const onChange = record => {
    const change = record.value;
    if (change !== null) {
      isRemoved = Boolean(change.removed);
      isVisible = change.visibility?.visible ?? isVisible;
      const facets = Object.fromEntries(Object.entries(change).filter(([, value]) => value?.after).map(([facet, value]) => [facet, value.after]));
      earlier.about = change.about;
      Object.entries(facets).forEach(([facet, values]) => {
        earlier.facets[facet] = {...earlier.facets[facet], ...values};
      });
      if (!isRead || isCaughtUp) { // until then, the mirror's response is newer than the changes of the last hours
        take();
      }
      const reserve = number(change.liquidity?.after?.reserve_in_usd);
      if (reserve !== null) {
        chart.liquidity(change.origin.observed_at, reserve);
      }
      changes.take(record);
    }
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
      isRead = true;
      problem.hidden = true;
      readOthers(data.relationships?.base_token?.data?.id);
    } catch (failure) {
      problem.textContent = `What is known of this pool cannot be read: ${visible(failure.message, 300)}`;
      problem.hidden = false;
      others.replaceChildren(notice('Not known.'));
    }
  };
  const readOthers = async token => {
    const text = token?.startsWith(`${network}_`) ? token.slice(network.length + 1) : null;
    try {
      const found = text === null ? [] : (await scope.json(
        `/api/v3/onchain/search/pools?query=${encodeURIComponent(text)}&network=${encodeURIComponent(network)}&include=dex`)).data;
      const rest = found.filter(pool => pool.id !== id).slice(0, 8);
      others.replaceChildren(rest.length === 0 ? notice('No other pool of this token is known.') : element('table.plain.brief', {},
        element('caption.hidden', {}, 'Other pools of this token'),
        element('thead', {}, element('tr', {}, element('th', {scope: 'col'}, 'Pool'), element('th.number', {scope: 'col'}, 'Price'),
          element('th.number', {scope: 'col'}, 'Liquidity'))),
        element('tbody', {}, ...rest.map(pool => element('tr', {},
          element('td.wide', {}, element('span.named', {}, identicon(pool.attributes.address), nameLink(pool.attributes.name, poolLink(network, pool.attributes.address), 22))),
          element('td.number', {}, price(pool.attributes.base_token_price_usd)), element('td.number', {}, dollars(pool.attributes.reserve_in_usd)))))));
    } catch (failure) {
      others.replaceChildren(notice(visible(failure.message, 200)));
    }
  };

  rankings.replaceChildren(rankingsTable(network, null));
  readMirror();
  chart.show(id);
  scope.follow({topics: ['trending'], from: 'beginning', key: id, onRecord: record =>
    rankings.replaceChildren(rankingsTable(network, record.value))});
  // kept, for the price in the tab's title
  scope.follow({topics: ['pool.changes'], from: '6h', key: id, isKept: true, onRecord: onChange, onCaughtUp: () => {
    isCaughtUp = true;
    take();
  }});
  scope.follow({topics: ['alerts'], from: '24h', key: id, onRecord: ({value}) => value !== null
    && ['fired', 'firing'].includes(value.status) && chart.alert(value)});
  scope.every(1000, () => paint(draw));

  return element('section', {},
    element('header.heading', {}, element('div', {}, element('div.named', {}, mark, identicon(address), title, state), subtitle),
      element('div.tools', {}, priceText, moves)),
    problem, watchButton(scope, `/networks/${encodeURIComponent(network)}/pools/${encodeURIComponent(address)}`), facts,
    element('div.with-aside', {},
      element('div', {}, chart.node, poolPriceAlertForm(scope, {network, address}, () => attributes.price?.base_token_price_usd ?? about.price_usd),
        changes.node),
      element('div', {}, element('aside.panel', {}, element('h2', {}, 'Trades and volume'), activity),
        element('aside.panel', {}, element('h2', {}, 'Rankings'), rankings),
        element('aside.panel', {}, element('h2', {}, 'Other pools of the token'), others))));
}

function watchButton(scope, target) {
  return changeButton(scope, 'Add to the watch list', () => ['PUT', `/v1/watch${target}`],
    () => 'Added: the source polls this pool itself, within its budget.', '');
}

async function copy(text, button) {
  if (navigator.clipboard === undefined) { // the page is not from this machine and not over TLS
    button.replaceChildren(text);
  } else {
    await navigator.clipboard.writeText(text);
    button.textContent = 'Copied';
  }
}
