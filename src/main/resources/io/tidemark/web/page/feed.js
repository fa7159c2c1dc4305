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
 * One connection for all topics that a view follows. A topic that comes or goes opens it anew; the others go on where
 * they were.
 *
 * onState({state: connecting | open | waiting | refused, message, retryAt})
 */
export class Feed {
  #topics = [];
  #onState;
  #isChanged = false;
  #closed = false;
  #suspended = false;
  #attempt = 0;
  #abort = null;
  #timer = null;
  #silence = null;
  state = {state: 'connecting'};

  constructor(onState) {
    this.#onState = onState;
  }

  /**
   * Follows a topic: {topic, from, parameters ({key: [...], where: ...}), onRecord(record), onCaughtUp(), onGap(gap)}.
   * Returns what stops it.
   */
  add(options) {
    const followed = {...options, lastId: ''}; // empty: it begins where `from` says
    this.#topics.push(followed);
    this.#change();
    return () => {
      this.#topics = this.#topics.filter(each => each !== followed);
      this.#change();
    };
  }

  close() {
    this.#closed = true;
    this.#stop();
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
      this.#stop();
    }
  }

  resume() {
    if (this.#suspended) {
      this.#suspended = false;
      this.#run();
    }
  }

  #stop() {
    clearTimeout(this.#timer);
    clearTimeout(this.#silence);
    this.#abort?.abort();
    this.#abort = null;
  }

  /** All changes of one task are one new connection. */
  #change() {
    if (!this.#isChanged) {
      this.#isChanged = true;
      queueMicrotask(() => {
        this.#isChanged = false;
        if (!this.#closed && !this.#suspended) {
          this.#stop();
          this.#run();
        }
      });
    }
  }

  #address(topics) {
    const query = new URLSearchParams(topics.map(({topic}) => ['topic', topic]));
    for (const {topic, from, parameters = {}} of topics) {
      for (const [name, values] of Object.entries({from: from ?? 'now', ...parameters})) {
        [values].flat().forEach(value => query.append(`${name}.${topic}`, value));
      }
    }
    return `/v1/feeds?${query}`;
  }

  async #run() {
    const topics = this.#topics;
    if (topics.length === 0) {
      return;
    }
    this.#show({state: 'connecting'});
    const abort = new AbortController();
    this.#abort = abort;
    let reason = 'the connection ended';
    try {
      reason = await this.#read(topics, abort) ?? reason;
    } catch (failure) {
      if (abort === this.#abort && failure instanceof Refused && ![408, 425, 429].includes(failure.status)
          && failure.status < 500) {
        this.#show({state: 'refused', message: failure.message, status: failure.status});
        return;
      }
      reason = failure instanceof Refused ? failure.message : failure.name === 'AbortError'
        ? 'no heartbeat' : 'the server does not answer';
    }
    if (abort === this.#abort) {
      clearTimeout(this.#silence);
      const wait = pause(this.#attempt++);
      this.#show({state: 'waiting', message: reason, retryAt: Date.now() + wait});
      this.#timer = setTimeout(() => this.#run(), wait);
    }
  }

  /** Reads until the stream ends; the reason, where the server sent one. */
  async #read(topics, abort) {
    const headers = {Accept: 'text/event-stream'};
    const isResumed = topics.some(each => each.lastId !== '');
    if (isResumed) {
      headers['Last-Event-ID'] = topics.map(each => each.lastId).join('~');
    }
    this.#watchSilence(abort);
    const response = await fetch(this.#address(topics), {headers, cache: 'no-store', signal: abort.signal});
    if (!response.ok) {
      throw await refusal(response);
    }
    this.#show({state: 'open', resumed: isResumed});
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    const parser = new EventParser();
    let reason = null;
    for (;;) {
      const {done, value} = await reader.read();
      if (done || abort.signal.aborted) {
        return reason;
      }
      this.#watchSilence(abort);
      this.#attempt = 0;
      for (const event of parser.push(value)) {
        reason = this.#take(topics, event) ?? reason;
      }
    }
  }

  #watchSilence(abort) {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => abort.abort(), LONGEST_SILENCE);
  }

  #take(topics, event) {
    const data = event.data === null ? null : JSON.parse(event.data);
    const of = data?.topic === undefined ? undefined : topicOf(topics, data.topic);
    if (of !== undefined && this.#topics.includes(of)) {
      switch (event.event) {
        case 'record':
          of.onRecord(data);
          break;
        case 'caught-up':
          of.onCaughtUp?.();
          break;
        case 'gap':
          of.onGap?.(data);
          break;
        default:
          break;
      }
    }
    if (event.id !== null) {
      event.id.split('~').forEach((id, i) => {
        topics[i].lastId = id;
      });
    }
    return event.event === 'end' ? data?.reason ?? null : null;
  }

  #show(state) {
    if (!this.#closed) {
      this.state = state;
      this.#onState(state);
    }
  }
}

/** The one of these topics that has a name with the prefix of the source: the longest that fits. */
function topicOf(topics, name) {
  return topics.filter(each => name.endsWith(each.topic)).sort((a, b) => b.topic.length - a.topic.length)[0];
}
