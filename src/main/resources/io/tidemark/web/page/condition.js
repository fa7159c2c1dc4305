// Whether the page sees the market: live, quiet, or blind. Pure functions.

import {span, visible} from './text.js';

const LONGEST_HEARTBEAT = 30_000;
const QUIET = 60_000;

/**
 * What to tell people at the top of the page.
 *
 * seen: {now, statusAt, statusFailure, retryAt, feeds: [state], source, lastRecordAt, lastPollAt}
 * level: live (changes come), quiet (polled, nothing changes), blind (nobody watches), lost (no server), waiting
 */
export function condition(seen) {
  const waiting = seen.feeds.find(feed => feed.state === 'waiting');
  if (seen.statusFailure || waiting) {
    const retryAt = waiting?.retryAt ?? seen.retryAt;
    const wait = retryAt === undefined ? '' : `, next attempt in ${span(Math.max(0, retryAt - seen.now))}`;
    return {level: 'lost', text: `Reconnecting: ${visible(waiting?.message ?? seen.statusFailure)}${wait}`};
  }
  if (!seen.source) {
    return seen.statusAt
      ? {level: 'blind', text: 'Blind: no source has started yet'}
      : {level: 'waiting', text: 'Connecting'};
  }
  const {name, status, message, heartbeatAt} = seen.source;
  const shown = visible(name, 30);
  if (status === 'stopped') {
    return {level: 'blind', text: `Blind: source ${shown} is stopped${message ? ': ' + visible(message, 140) : ''}`};
  }
  if (heartbeatAt !== null && seen.now - heartbeatAt > LONGEST_HEARTBEAT) {
    return {level: 'blind', text: `Blind: no heartbeat of source ${shown} for ${span(seen.now - heartbeatAt)}`};
  }
  if (status === 'starting' || status === 'restoring') {
    return {level: 'waiting', text: `Source ${shown} is ${status}`};
  }
  const poll = seen.lastPollAt === null || seen.lastPollAt === undefined ? '' : `, polled ${span(seen.now - seen.lastPollAt)} ago`;
  if (status === 'degraded') {
    return {level: 'degraded', text: `Degraded: ${visible(message ?? 'see Coverage', 140)}${poll}`};
  }
  if (seen.lastRecordAt !== null && seen.now - seen.lastRecordAt > QUIET) {
    return {level: 'quiet', text: `Quiet: nothing changes for ${span(seen.now - seen.lastRecordAt)}${poll}`};
  }
  return {level: 'live', text: `Live${poll}`};
}

/**
 * The status of the server in the page's terms: {sources: [{name, status, message, heartbeatAt, budget, targets}],
 * health: [{name, status, message}], deadLetters}.
 */
export function readStatus(body) {
  const sources = (Array.isArray(body.sources) ? body.sources : []).map(source => ({
    name: source.name ?? source.source,
    owner: source.owner ?? null,
    status: source.status,
    message: source.message ?? null,
    heartbeatAt: source.heartbeat_at ?? null,
    watchingSince: source.watching_since ?? null,
    lastError: source.last_error ?? null,
    lastErrorAt: source.last_error_at ?? null,
    budget: source.budget ?? null,
    deadLetters: source.dead_letters ?? null,
    targets: (source.targets ?? []).map(target => ({
      target: target.target,
      operation: target.operation,
      observedAt: target.observed_at || null,
      previousObservedAt: target.previous_observed_at ?? null,
      attemptedAt: target.attempted_at ?? null,
      asOf: target.as_of ?? null,
      snapshot: target.snapshot ?? null,
      complete: target.complete ?? true,
      contiguous: target.contiguous ?? true,
      missed: target.missed ?? null,
      members: target.members ?? null,
      disabled: target.disabled ?? null,
      pages: target.observed_pages ?? null,
    })),
  }));
  const parts = body.health?.parts ?? {};
  return {
    now: body.now ?? null,
    sources,
    deadLetters: body.dead_letters ?? null,
    health: Object.entries(parts).map(([name, part]) => ({name, status: part.status, message: part.message})),
  };
}

/** When any target of the source was observed last; null before the first. */
export function lastPoll(source) {
  const times = source.targets.map(target => target.attemptedAt ?? target.observedAt).filter(Boolean);
  return times.length === 0 ? null : Math.max(...times);
}
