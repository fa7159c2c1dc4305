// Server-sent events over fetch: a feed of several topics, each of which goes on where it was.

const LONGEST_SILENCE = 40_000; // heartbeats come every 15 s
const LONGEST_PAUSE = 15_000;

/** Splits the text of an event stream into events: {event, id, data}. Pure but for what is unfinished. */
export class EventParser {
  #rest = '';

  /** The events that this piece of text completes. */
  push(text) {
    this.#rest += text;
    const blocks = this.#rest.split(/\r?\n\r?\n/);
    this.#rest = blocks.pop();
    return blocks.map(parseBlock);
  }
}

function parseBlock(block) {
  const event = {event: 'message', id: null, data: null};
  for (const line of block.split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon === 0) {
      continue;
    }
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'data') {
      event.data = event.data === null ? value : `${event.data}\n${value}`;
    } else if (field === 'event' || field === 'id') {
      event[field] = value;
    }
  }
  return event;
}

/** How long to wait before the next attempt: doubles from one second, with jitter. */
export function pause(attempt, random = Math.random()) {
  return Math.min(LONGEST_PAUSE, 1000 * 2 ** Math.min(attempt, 4)) * (0.75 + 0.5 * random);
}

/** An answer other than success. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  /** Whether another attempt is of no use before a login. Other answers may come from a proxy while the server is away. */
  get isFinal() {
    return this.status === 401;
  }
}

/** What the answer says is wrong. */
export async function refusal(response) {
  let message = `the server answers ${response.status}`;
  try {
    const body = await response.json();
    message = body?.error ?? body?.status?.error_message ?? message;
  } catch {
    // no JSON: the status has to do
  }
  return new Refused(response.status, typeof message === 'string' ? message : JSON.stringify(message));
}

/** Why a feed could not be read, for people. */
export function reasonOf(failure) {
  return failure instanceof Refused ? failure.message
    : failure.name === 'AbortError' ? 'no heartbeat' : 'the server does not answer';
}

function address(topics, hasStatus) {
  const query = new URLSearchParams(topics.map(({topic}) => ['topic', topic]));
  for (const {topic, from, keys} of topics) {
    query.append(`from.${topic}`, from);
    keys?.forEach(key => query.append(`key.${topic}`, key));
  }
  if (hasStatus) {
    query.append('status', 'true');
  }
  return `/v1/feeds?${query}`;
}

/**
 * Reads a feed until it ends or is aborted; the reason of its end, where the server sent one. Throws Refused where the
 * server does.
 *
 * topics: [{topic, from, keys (a set; null for all), position (empty at first)}]; positions follow what was read
 * reader: {onOpen(), onEvent(event, data, of: one of topics), onRead() after each piece of the stream}
 */
export async function readFeed(topics, hasStatus, abort, reader) {
  const headers = {Accept: 'text/event-stream'};
  if (topics.some(each => each.position !== '')) {
    headers['Last-Event-ID'] = topics.map(each => each.position).join('~');
  }
  let silence = null;
  const watchSilence = () => {
    clearTimeout(silence);
    silence = setTimeout(() => abort.abort(), LONGEST_SILENCE);
  };
  watchSilence();
  try {
    const response = await fetch(address(topics, hasStatus), {headers, cache: 'no-store', signal: abort.signal});
    if (!response.ok) {
      throw await refusal(response);
    }
    reader.onOpen?.();
    const stream = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    let reason = null;
    for (;;) {
      const {done, value} = await stream.read();
      if (done || abort.signal.aborted) {
        return reason;
      }
      watchSilence();
      for (const {event, id, data: text} of parser.push(value)) {
        const data = text === null ? null : JSON.parse(text);
        id?.split('~').forEach((part, at) => {
          topics[at].position = part;
        });
        reason = event === 'end' ? data?.reason ?? null : reason;
        reader.onEvent(event, data, topicOf(topics, data?.topic));
      }
      reader.onRead();
    }
  } finally {
    clearTimeout(silence);
  }
}

/** The one of these topics that has a name with the prefix of the source: the longest that fits. */
function topicOf(topics, name) {
  return topics.filter(each => name?.endsWith(each.topic)).sort((a, b) => b.topic.length - a.topic.length)[0];
}
