// Whether the page sees the market: live, quiet, or blind. Pure functions.

import {span, visible} from './text.js';

const LONGEST_HEARTBEAT = 30_000;
const QUIET = 60_000;

/**
 * What to tell people at the top of the page.
 *
 * seen: {now, retryAt, connection: its state, hasStatus, source, health (none without it)}, in the server's time
 * level: live (changes come), quiet (polled, nothing is committed), degraded (something is wrong), blind (nobody watches),
 * lost (no server), waiting
 */
export function condition(seen) {
  const {state, message: problem} = seen.connection;
  if (state === 'refused') {
    return {level: 'waiting', text: 'Not logged in'};
  }
  if (state === 'waiting') {
    const wait = seen.retryAt > seen.now ? `, next attempt in ${span(seen.retryAt - seen.now)}` : '';
    return {level: 'lost', text: `Reconnecting: ${visible(problem)}${wait}`};
  }
  if (!seen.source) {
    return seen.hasStatus
      ? {level: 'blind', text: 'Blind: no source has started yet'}
      : {level: 'waiting', text: 'Connecting'};
  }
  const {name, status, message, heartbeatAt} = seen.source;
  const shown = visible(name, 30);
  if (!status) {
    return {level: 'waiting', text: `Waiting for source ${shown}`};
  }
  if (status === 'stopped') {
    return {level: 'blind', text: `Blind: source ${shown} is stopped${message ? ': ' + visible(message, 140) : ''}`};
  }
  if (heartbeatAt !== null && seen.now - heartbeatAt > LONGEST_HEARTBEAT) {
    return {level: 'blind', text: `Blind: no heartbeat of source ${shown} for ${span(seen.now - heartbeatAt)}`};
  }
  if (status === 'starting' || status === 'restoring') {
    return {level: 'waiting', text: `Source ${shown} is ${status}`};
  }
  const {polledAt = null, changedAt = null} = seen.source;
  const poll = polledAt === null ? '' : `, polled ${span(seen.now - polledAt)} ago`;
  if (status === 'degraded') {
    return {level: 'degraded', text: `Degraded: ${visible(message ?? 'see Coverage', 140)}${poll}`};
  }
  const unwell = seen.health?.find(part => part.status !== 'up');
  if (unwell !== undefined) {
    return {level: 'degraded', text: `Degraded: ${visible(`${unwell.name}: ${unwell.message}`, 140)}${poll}`};
  }
  if (changedAt !== null && seen.now - changedAt > QUIET) {
    return {level: 'quiet', text: `Quiet: nothing has changed for ${span(seen.now - changedAt)}${poll}`};
  }
  return {level: 'live', text: `Live${poll}`};
}

/**
 * The status of the server in the page's terms: {sources: [{name, status, message, heartbeatAt, budget, targets}],
 * health: [{name, status, message}]}.
 */
export function readStatus(body) {
  const sources = (Array.isArray(body.sources) ? body.sources : []).map(source => ({
    name: source.name ?? source.source,
    owner: source.owner ?? null,
    status: source.status,
    message: source.message ?? null,
    heartbeatAt: source.heartbeat_at ?? null,
    polledAt: source.polled_at ?? null,
    changedAt: source.changed_at ?? null,
    watchingSince: source.watching_since ?? null,
    lastError: source.last_error ?? null,
    lastErrorAt: source.last_error_at ?? null,
    budget: source.budget ?? null,
    targets: (source.targets ?? []).map(target => ({
      target: target.target,
      operation: target.operation,
      observedAt: target.observed_at || null,
      previousObservedAt: target.previous_observed_at ?? null,
      asOf: target.as_of ?? null,
      complete: target.complete ?? true,
      contiguous: target.contiguous ?? true,
      missed: target.missed ?? null,
      members: target.members ?? null,
      retry: target.retry ?? null,
    })),
  }));
  const parts = body.health?.parts ?? {};
  return {
    sources,
    health: Object.entries(parts).map(([name, part]) => ({name, status: part.status, message: part.message})),
  };
}

/** The targets of the first source, the one that the page shows; none while there is no status. */
export function targetsOf(status) {
  return status?.sources[0]?.targets ?? [];
}
