// Coverage: what is polled, how old it is, what it costs, what was missed.

import {condition, targetsOf} from '../condition.js';
import {bar, chip, element, figures, heading, notice} from '../dom.js';
import {LiveTable} from '../table.js';
import {count, leading, moment, number, span, visible, when} from '../text.js';

const FACTOR = 3; // a target not observed for three of its longest gaps is late
const WINDOW = 600_000;

/** What was observed in the last ten minutes. */
class Recent {
  #entries = [];

  add(at, value) {
    this.#entries.push({at, value});
  }

  values(now) {
    this.#entries = this.#entries.filter(each => each.at > now - WINDOW);
    return this.#entries.map(each => each.value);
  }
}

export function show(scope) {
  const sources = element('div.stacked');
  const healthList = element('div.cards');
  const latencies = new Recent();
  const newPools = new Recent();
  const missed = new Recent(); // new pools
  const gaps = new Recent(); // between two polls of a target: those near a refresh follow each other closely
  const caughtUp = {states: false, listings: false};
  const targets = new LiveTable({
    caption: 'Targets by staleness', empty: 'No target is watched.', order: 'Staleness', scope, limit: 500,
    rowClass: row => row.late ? 'late' : '',
    columns: [
      {title: 'Target', kind: 'wide', sort: row => row.target, cell: row => element('bdi.name', {title: visible(row.target, 400)}, visible(row.target, 90))},
      {title: 'Operation', kind: 'minor', sort: row => row.operation, cell: row => visible(row.operation)},
      {title: 'Longest gap', kind: 'number minor', sort: row => row.gap, cell: row => row.gap === null ? '–' : span(row.gap)},
      {title: 'Staleness', kind: 'number', sort: row => row.staleness, cell: row => row.staleness !== null ? span(row.staleness) : row.calendar && row.observedAt !== null ? 'once' : 'never'},
      {title: '', kind: 'minor', cell: row => bar(row.staleness === null || row.gap === null ? 0 : row.staleness / (FACTOR * Math.max(row.gap, 1000)), row.late ? 'warn' : 'accent'), always: true},
      {title: 'After refresh', kind: 'number minor', sort: row => row.latency, cell: row => row.latency === null ? '–' : span(row.latency)},
      {title: 'Members', kind: 'number minor', sort: row => row.members, cell: row => count(row.members)},
      {title: '', cell: row => [
        row.retry ? chip(`${row.retry.pages ? `${row.retry.pages} pages only, ` : ''}failed ${row.retry.failures}×, next ${when(row.retry.next_at, scope.now())}: ${visible(row.retry.reason, 160)}`, 'bad') : null,
        row.late ? chip('late', 'warn') : null, row.complete ? null : chip('incomplete', 'warn'),
        row.contiguous ? null : chip(row.missed ? `missed about ${row.missed}` : 'not contiguous', 'warn')]},
    ],
  });
  const letters = new LiveTable({
    caption: 'Dead letters, newest first', empty: 'No dead letter in the last 14 days: every answer could be read.', order: 'Received', scope, parameter: 'letters', limit: 100,
    columns: [
      {title: 'Received', kind: 'number', sort: row => row.at, csv: row => new Date(row.at).toISOString(), cell: row => moment(row.at)},
      {title: 'Operation', sort: row => row.operation, cell: row => visible(row.operation || 'record')},
      {title: 'Target', kind: 'minor', sort: row => row.target, cell: row => element('bdi', {}, visible(row.target, 70))},
      {title: 'Reason', kind: 'wide', sort: row => row.reason, cell: row => element('bdi', {}, visible(row.reason, 160))},
    ],
  });

  const drawTargets = (status, now) => {
    const watched = new Map(targetsOf(status).map(each => [each.target, each]));
    targets.values().filter(row => !watched.has(row.target)).forEach(row => targets.delete(row.target));
    const longest = new Map();
    gaps.values(now).forEach(({target, gap}) => longest.set(target, Math.max(longest.get(target) ?? 0, gap)));
    watched.forEach((each, target) => targets.set(target, targetRow(each, now, longest)));
  };
  const draw = status => {
    const now = scope.now();
    const fresh = {observed: newPools.values(now).length, missed: missed.values(now).reduce((sum, each) => sum + each, 0)};
    const feeds = {latencies: latencies.values(now), fresh, caughtUp, letters: letters.size}; // of the first source
    sources.replaceChildren(...status.sources.map((source, at) => sourcePanel(source, now, at === 0 ? feeds : null)));
    if (status.sources.length === 0) {
      sources.replaceChildren(notice('No source has been started yet.', 'warn'));
    }
    drawTargets(status, now);
    healthList.replaceChildren(...status.health.map(part => element('p', {},
      chip(part.status, part.status === 'up' ? 'good' : part.status === 'degraded' ? 'warn' : 'bad'), ' ',
      element('strong', {}, visible(part.name, 60)), ' ', element('span.muted', {}, visible(part.message, 300)))));
  };

  scope.onStatus(draw);
  scope.follow({topics: ['target.state'], from: '10m', onRecord: record => {
    const state = record.value;
    if (state === null) {
      return;
    }
    if (state.previous_observed_at !== null && state.observed_at !== null) {
      gaps.add(state.observed_at, {target: state.target, gap: state.observed_at - state.previous_observed_at});
    }
    if (state.as_of && state.changed) {
      latencies.add(state.observed_at, state.observed_at - state.as_of);
    }
    if (state.operation === 'new_pools' && state.changed && state.complete && state.missed) {
      missed.add(state.observed_at, state.missed);
    }
  }, onCaughtUp: () => {
    caughtUp.states = true;
  }});
  scope.follow({topics: ['pool.listing'], from: '10m', onRecord: record => {
    const listing = record.value;
    if (listing !== null && listing.kind === 'new' && listing.action === 'entered' && !listing.origin.baseline) {
      newPools.add(listing.origin.observed_at, listing.pool);
    }
  }, onCaughtUp: () => {
    caughtUp.listings = true;
  }});
  scope.follow({topics: ['dead-letters'], from: '14d', onRecord: record => {
    if (record.value !== null) {
      letters.set(`${record.partition}/${record.offset}`, {
        at: record.timestamp, operation: record.value.operation, target: record.value.target, reason: record.value.reason,
      });
    }
  }});
  scope.every(1000, () => {
    if (scope.status) {
      drawTargets(scope.status, scope.now());
    }
  });

  return element('section.stacked', {},
    heading('Coverage', 'What is polled, how old it is, what it costs, and what was missed.'),
    sources,
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Targets'), targets.tools()), targets.node),
    element('section', {}, element('div.heading', {}, element('h2', {}, 'Dead letters'), letters.tools()), letters.node),
    element('section.panel', {}, element('h2', {}, 'Health'), healthList));
}

function targetRow(each, now, longestGaps) {
  const calendar = each.operation === 'coin_history'; // a day is polled once
  const last = each.observedAt !== null && each.previousObservedAt !== null ? each.observedAt - each.previousObservedAt : null;
  const gap = last === null ? null : Math.max(last, longestGaps.get(each.target) ?? 0);
  const staleness = each.observedAt === null || calendar ? null : Math.max(0, now - each.observedAt);
  return {
    ...each, gap, staleness, calendar,
    latency: each.asOf !== null && each.observedAt !== null ? each.observedAt - each.asOf : null,
    late: each.retry === null && gap !== null && staleness > FACTOR * Math.max(gap, 5_000),
  };
}

/** What is known of a source; feeds, what its topics say, is null for one whose topics the page does not follow. */
function sourcePanel(source, now, feeds) {
  const budget = source.budget;
  const found = condition({now, connection: {state: 'open'}, hasStatus: true, source});
  const stale = source.targets.filter(each => each.observedAt !== null && each.operation !== 'coin_history').map(each => now - each.observedAt).sort((a, b) => a - b);
  return element('div', {},
    element('h2', {}, element('bdi', {}, visible(source.name, 40)), ' ',
      chip(source.status ?? 'unknown', found.level === 'live' ? 'good' : found.level === 'blind' ? 'bad' : 'warn'), ' ',
      element('small.muted', {}, source.owner ? `owner ${visible(source.owner, 60)}` : '')),
    source.message || source.lastError ? element('p.notice.box.warn', {},
      visible(source.message ?? `${moment(source.lastErrorAt)}: ${source.lastError}`, 400)) : null,
    figures(...[
      ...budgetFigures(budget, now),
      ['Staleness', stale.length === 0 ? '–' : span(quantile(stale, 0.5)), stale.length === 0 ? null : `median; oldest ${span(stale.at(-1))}`],
      ...(feeds === null ? [] : feedFigures(feeds)),
      ['Heartbeat', source.heartbeatAt === null ? '–' : `${span(now - source.heartbeatAt)} ago`,
        source.watchingSince === null ? null : `watching since ${moment(source.watchingSince)}`],
    ]));
}

function feedFigures({latencies, fresh, caughtUp, letters}) {
  const sorted = latencies.sort((a, b) => a - b);
  const share = fresh.observed + fresh.missed === 0 ? null : fresh.observed / (fresh.observed + fresh.missed);
  return [
    ['After refresh', sorted.length === 0 ? '–' : span(quantile(sorted, 0.5)),
      sorted.length === 0 ? caughtUp.states ? 'no change of a body in 10 minutes' : 'reading 10 minutes' : `median; p95 ${span(quantile(sorted, 0.95))}, 10 minutes`],
    ['New pools observed', share === null ? '–' : `${leading(100 * share, 3)}%`,
      share === null ? caughtUp.listings ? 'no new pool in 10 minutes' : 'reading 10 minutes' : `${count(fresh.observed)} observed, about ${count(fresh.missed)} missed, 10 minutes`],
    ['Dead letters', count(letters), '14 days'],
  ];
}

function budgetFigures(budget, now) {
  if (budget === null) {
    return [];
  }
  const perMonth = number(budget.per_month) ?? 0;
  const spent = number(budget.reserved ?? budget.spent) ?? 0;
  const minute = Array.isArray(budget.minute) ? budget.minute.reduce((sum, calls) => sum + calls, 0) : number(budget.last_minute);
  const start = number(budget.month);
  const begun = start === null ? null : (now - start) / (31 * 86_400_000);
  return [
    ['Calls this month', element('span', {}, count(spent), bar(perMonth === 0 ? 0 : spent / perMonth, spent / perMonth > (begun ?? 1) + 0.1 ? 'warn' : 'accent')),
      `${count(Math.max(0, perMonth - spent))} left of ${count(perMonth)}; counted from ${start === null ? '–' : moment(start)}`],
    ['Calls a minute', minute === null ? '–' : count(minute), `of ${count(budget.per_minute)} at ${when(budget.counted_at, now)}`],
  ];
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))];
}
