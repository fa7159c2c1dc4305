// Small tables of the view of a pool.

import {bar, element, notice, splitBar} from '../dom.js';
import {compact, dollars, number, span, visible} from '../text.js';

const WINDOWS = [['m5', '5m'], ['m15', '15m'], ['m30', '30m'], ['h1', '1h'], ['h6', '6h'], ['h24', '24h']];

/** Trades and volume of a pool by window. */
export function windowsTable(trades, volumes) {
  const known = WINDOWS.filter(([window]) => trades[window] || number(volumes[window]) !== null);
  const largest = Math.max(...known.map(([window]) => number(volumes[window]) ?? 0));
  return known.length === 0 ? notice('Not known.') : element('table.plain.windows', {},
    element('caption.hidden', {}, 'Trades, traders and volume by window'),
    element('thead', {}, element('tr', {}, ...['', 'Buys / sells', 'Buyers / sellers', 'Volume'].map((each, at) =>
      element(`th${at > 0 ? '.number' : ''}`, {scope: 'col'}, each)))),
    element('tbody', {}, ...known.map(([window, label]) => {
      const {buys = null, sells = null, buyers = null, sellers = null} = trades[window] ?? {};
      return element('tr', {}, element('th', {scope: 'row'}, label),
        element('td.number', {}, sides(buys, sells)), element('td.number', {}, sides(buyers, sellers)),
        element('td.number', {}, dollars(volumes[window]), bar((number(volumes[window]) ?? 0) / (largest || 1))));
    })));
}

function sides(more, less) {
  return more === null ? '–' : [element('span.up', {}, compact(more)), '/', element('span.down', {}, compact(less)),
    splitBar(number(more), number(less))];
}

/** The trending lists that a pool is or was in. */
export function rankingsTable(network, trending) {
  const stays = trending?.stays ?? [];
  return stays.length === 0 ? notice('In no watched trending list.') : element('table.plain', {},
    element('caption.hidden', {}, 'Rankings of this pool'),
    element('thead', {}, element('tr', {}, ...['List', 'Rank', 'Best', 'Entered', 'In list']
      .map((each, at) => element(`th${at > 0 ? '.number' : ''}`, {scope: 'col'}, each)))),
    element('tbody', {}, ...stays.map(stay => element('tr', {},
      element('th', {scope: 'row'}, element('a', {href: `#/trending?network=${encodeURIComponent(network)}&duration=${encodeURIComponent(stay.duration)}`},
        visible(stay.duration))),
      element('td.number', {}, stay.rank === null ? 'exited' : String(stay.rank)),
      element('td.number', {}, String(stay.best_rank ?? '–')),
      element('td.number', {}, `${stay.entries}×`),
      element('td.number', {}, span(1000 * stay.seconds))))));
}
