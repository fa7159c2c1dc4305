// Feeds of records: server-sent events over fetch, which resume by themselves where they broke off.

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

/** A refusal that does not pass by itself. */
export class Refused extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
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

/**
 * One feed, open until it is closed.
 *
 * options: topic, from, parameters ({key: [...], where: ...}), onRecord(record), onCaughtUp(), onGap(gap),
 * onState({state: connecting | open | waiting | refused, message, retryAt})
 */
export class Feed {
  #options;
  #lastId = null;
  #closed = false;
  #suspended = false;
  #attempt = 0;
  #abort = null;
  #timer = null;
  #silence = null;
  state = {state: 'connecting'};

  constructor(options) {
    this.#options = options;
    this.#run();
  }

  close() {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#abort?.abort();
  }

  /** Tries again at once, if it is waiting. */
  retry() {
    if (this.state.state === 'waiting') {
      clearTimeout(this.#timer);
      this.#run();
    }
  }

  /** Gives the connection back; resume() goes on where it stopped. */
  suspend() {
    if (!this.#closed && !this.#suspended) {
      this.#suspended = true;
      clearTimeout(this.#timer);
      this.#abort?.abort();
    }
  }

  resume() {
    if (this.#suspended) {
      this.#suspended = false;
      this.#run();
    }
  }

  #address() {
    const {topic, from, parameters = {}} = this.#options;
    const query = new URLSearchParams();
    for (const [name, values] of Object.entries(parameters)) {
      [values].flat().forEach(value => query.append(name, value));
    }
    query.set('from', from ?? 'now');
    return `/v1/feeds/${encodeURIComponent(topic)}?${query}`;
  }

  async #run() {
    this.#show({state: 'connecting'});
    const abort = new AbortController();
    this.#abort = abort;
    let reason = 'the connection ended';
    try {
      reason = await this.#read(abort) ?? reason;
    } catch (failure) {
      if (failure instanceof Refused && ![408, 425, 429].includes(failure.status) && failure.status < 500) {
        this.#show({state: 'refused', message: failure.message, status: failure.status});
        return;
      }
      reason = failure instanceof Refused ? failure.message : failure.name === 'AbortError'
        ? 'no heartbeat' : 'the server does not answer';
    } finally {
      clearTimeout(this.#silence);
    }
    if (!this.#closed && !this.#suspended && abort === this.#abort) {
      const wait = pause(this.#attempt++);
      this.#show({state: 'waiting', message: reason, retryAt: Date.now() + wait});
      this.#timer = setTimeout(() => this.#run(), wait);
    }
  }

  /** Reads until the stream ends; the reason, where the server said one. */
  async #read(abort) {
    const headers = {Accept: 'text/event-stream'};
    if (this.#lastId !== null) {
      headers['Last-Event-ID'] = this.#lastId;
    }
    this.#watchSilence(abort);
    const response = await fetch(this.#address(), {headers, cache: 'no-store', signal: abort.signal});
    if (!response.ok) {
      throw await refusal(response);
    }
    this.#show({state: 'open', resumed: this.#lastId !== null});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    let reason = null;
    for (;;) {
      const {done, value} = await reader.read();
      if (done) {
        return reason;
      }
      this.#watchSilence(abort);
      this.#attempt = 0;
      for (const event of parser.push(value)) {
        reason = this.#take(event) ?? reason;
      }
    }
  }

  #watchSilence(abort) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => abort.abort(), LONGEST_SILENCE);
  }

  #take(event) {
    if (this.#closed) {
      return null;
    }
    const data = event.data === null ? null : JSON.parse(event.data);
    switch (event.event) {
      case 'record':
        this.#options.onRecord(data);
        break;
      case 'caught-up':
        this.#options.onCaughtUp?.();
        break;
      case 'gap':
        this.#options.onGap?.(data);
        break;
      default:
        break;
    }
    if (event.id !== null) {
      this.#lastId = event.id;
    }
    return event.event === 'end' ? data?.reason ?? null : null;
  }

  #show(state) {
    if (!this.#closed) {
      this.state = state;
      this.#options.onState?.(state);
    }
  }
}
