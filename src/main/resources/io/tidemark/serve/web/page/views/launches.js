// Launches: new pools by exchange and hour, and what became of them.

import {element, figures, heading, notice, paint, select, timeOf} from '../dom.js';
import {LiveTable} from '../table.js';
import {compact, count, counted, dollars, leading, moment, visible} from '../text.js';

export function show(scope) {
  const all = new Map();
  const filter = {network: scope.chosen('network')};
  const networks = new Set([filter.network]);
  const hours = element('div.hours', {role: 'img', 'aria-label': 'New pools by hour'});
  const summary = element('div');
  const table = new LiveTable({
    caption: 'New pools by exchange and hour', empty: 'Waiting for the aggregate launches: it is written at the end of each minute.',
    order: 'Hour', scope, limit: 300, filter: row => filter.network === '' || row.network === filter.network,
    columns: [
      {title: 'Hour', kind: 'number', sort: row => row.start, csv: row => new Date(row.start).toISOString(), cell: row => moment(row.start)},
      {title: 'Exchange', kind: 'wide', sort: row => row.dex, cell: row => [element('bdi', {}, visible(row.dex || 'no exchange named', 30)),
        element('small.muted', {}, ` ${visible(row.network, 30)}`)]},
      {title: 'New pools', kind: 'number', flash: true, sort: row => row.pools, cell: row => count(row.pools)},
      {title: 'Visible', kind: 'number minor', sort: row => row.visible, cell: row => count(row.visible)},
      {title: 'Reserve', kind: 'number minor', flash: true, sort: row => row.reserve_usd, cell: row => dollars(row.reserve_usd)},
      {title: 'After 1 hour', sort: row => row.after_1h.held, csv: row => survivalText(row.after_1h), cell: row => survival(row.after_1h), always: true},
      {title: 'After 24 hours', kind: 'minor', sort: row => row.after_24h.held, csv: row => survivalText(row.after_24h), cell: row => survival(row.after_24h), always: true},
      {title: 'As of', kind: 'number minor', sort: row => row.at, csv: row => new Date(row.at).toISOString(), cell: row => timeOf(row.at)},
    ],
  });
  const networkSelect = select('Network', [['', 'All'], ...(filter.network === '' ? [] : [[filter.network, filter.network]])], filter.network, value => {
    filter.network = value;
    scope.choose('network', value);
    table.refresh();
    draw();
  });

  const draw = () => {
    const shown = [...all.values()].filter(each => filter.network === '' || each.network === filter.network);
    const byHour = new Map();
    shown.forEach(each => byHour.set(each.start, (byHour.get(each.start) ?? 0) + each.pools));
    const most = Math.max(1, ...byHour.values());
    const last = Math.floor(scope.now() / 3_600_000) * 3_600_000;
    hours.replaceChildren(...Array.from({length: 24}, (_, at) => last - (23 - at) * 3_600_000).map(start => {
      const pools = byHour.get(start) ?? 0;
      const column = element('span.hour', {title: `${moment(start)}: ${counted(pools, 'new pool')}`}, element('span.column'),
        element('small.muted', {'aria-hidden': 'true'}, String(new Date(start).getHours())));
      column.firstChild.style.height = `${pools === 0 ? 0 : Math.max(4, 100 * pools / most)}%`;
      return column;
    }));
    hours.setAttribute('aria-label', `New pools by hour, the last 24: at most ${count(most)} in one hour`);
    const total = which => shown.reduce((sum, each) => sum + each.after_1h[which], 0);
    const known = total('held') + total('lost');
    summary.replaceChildren(figures(
      ['New pools', count(shown.reduce((sum, each) => sum + each.pools, 0)), `in ${counted(byHour.size, 'hour')}`],
      ['Their reserve', dollars(shown.reduce((sum, each) => sum + each.reserve_usd, 0))],
      ['Held after 1 hour', known === 0 ? '–' : `${leading(100 * total('held') / known, 2)}%`,
        known === 0 ? 'no pool is old enough yet' : `of ${compact(known)} whose outcome is known`],
      ['Outcome unknown', count(total('not_observed')), 'not observed after 1 hour']));
  };

  scope.follow({topics: ['launches'], from: 'beginning', onRecord: record => {
    const launches = record.value;
    if (launches === null) {
      all.delete(record.key);
      table.delete(record.key);
    } else {
      all.set(record.key, launches);
      table.set(record.key, launches);
      if (!networks.has(launches.network)) {
        networks.add(launches.network);
        networkSelect.lastElementChild.append(element('option', {value: launches.network}, visible(launches.network)));
      }
    }
    paint(draw);
  }});
  scope.every(60_000, () => paint(draw)); // the last 24 hours move on
  draw();
  return element('section.stacked', {},
    heading('Launches', 'New pools by exchange and hour. Held: at least half of the first reserve is still there at that age.', networkSelect, table.tools()),
    summary,
    element('div.panel', {}, element('h2', {}, 'New pools in each of the last 24 hours'), hours),
    table.node,
    notice('Green: held. Red: lost. Amber: not observed at that age. Grey: still younger.'));
}

function outcomes(outcome) {
  return [['up', outcome.held, 'held'], ['down', outcome.lost, 'lost'], ['warn', outcome.not_observed, 'not observed'],
    ['plain', outcome.pending, 'younger']];
}

function survivalText(outcome) {
  return outcomes(outcome).filter(([, pools]) => pools > 0).map(([, pools, word]) => `${pools} ${word}`).join(', ');
}

function survival(outcome) {
  const parts = outcomes(outcome);
  const all = parts.reduce((sum, [, pools]) => sum + pools, 0);
  const stack = element('span.stack', {'aria-hidden': 'true'}, ...parts.map(([tone, pools]) => {
    const part = element(`span.fill.${tone}`);
    part.style.width = `${all === 0 ? 0 : 100 * pools / all}%`;
    return part;
  }));
  const text = survivalText(outcome);
  return element('span.survival', {title: text}, stack, element('span.hidden', {}, text));
}
