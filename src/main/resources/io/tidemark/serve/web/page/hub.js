// The one connection that all tabs of a browser share: the topics that any of them follows, and the status.

import {Refused, pause, readFeed, reasonOf} from './stream.js';

const PING_EVERY = 20_000;
const MOST_MISSED = 3; // pings that a tab may leave unanswered: it was closed, or the browser has frozen it
const TRIM_AFTER = 30_000; // a topic that nobody follows is left out by then
const MOST_PAST = 2; // requests for what lies in the past, at the same time: a browser opens six to a host
const MOST_WAITING = 20_000; // new records of a topic whose past is still being read
const LONGEST_KEYS = 4_000; // characters of all keys in an address; the server takes 8 KiB
export const REOPEN_AFTER = 300_000; // tabs begin anew after that long without a connection, instead of reading all since
const LIGHT_TOPIC = 'source.state'; // a feed has a topic at least, also where only the status is wanted

/**
 * Tabs follow topics here. Each topic is in the one live feed, from now on; what lies before that is read by a request of
 * its own, which ends when it has caught up. Records may come twice where both meet: the tab skips them by their
 * offsets.
 *
 * Messages from a tab: hello, follow {id, topic, from, key, position}, drop {id}, retry, renew (another key, or none),
 * here (the answer to ping), bye. Messages to a tab: records {id, records, position}, caught-up {id}, gap {id, gap},
 * state {state: {state: connecting | open | waiting | refused (not logged in), message, status, retryAt}}, status {body,
 * at}, ping {positions}, unknown (say hello again, and follow everything from the newest positions), reopen (the same,
 * with a view that begins anew).
 */
export class Hub {
  #tabs = new Map();
  #topics = new Map(); // in the live feed
  #live = null;
  #state = {state: 'connecting'};
  #status = null;
  #attempt = 0;
  #readAt = 0;
  #retry = null;
  #restart = null;
  #trim = null;
  #past = [];
  #reading = 0;

  constructor() {
    setInterval(() => this.#ping(), PING_EVERY);
  }

  /** Takes a message of a tab; post sends it one. */
  take(id, post, message) {
    if (message.type === 'bye') {
      this.#leave(id);
      return;
    }
    let tab = this.#tabs.get(id);
    if (tab === undefined || message.type === 'hello') {
      tab?.follows.forEach(follow => this.#drop(tab, follow));
      tab = {post, missed: 0, follows: new Map()};
      this.#tabs.set(id, tab);
      if (message.type !== 'hello') {
        post({type: 'unknown'});
        return;
      }
      post({type: 'state', state: this.#state});
      if (this.#status !== null) {
        post(this.#status);
      }
      if (this.#live === null) {
        this.#restartSoon();
      }
    }
    tab.missed = 0;
    switch (message.type) {
      case 'follow':
        this.#follow({...message, tab, phase: 'new', out: [], waiting: [], hasLost: false});
        break;
      case 'drop':
        this.#drop(tab, tab.follows.get(message.id));
        break;
      case 'retry':
        if (this.#state.state === 'waiting') {
          this.#run();
        }
        break;
      case 'renew':
        this.#run();
        break;
      default:
        break; // hello, here
    }
  }

  #leave(id) {
    const tab = this.#tabs.get(id);
    this.#tabs.delete(id);
    tab?.follows.forEach(follow => this.#drop(tab, follow));
  }

  #ping() {
    for (const [id, tab] of [...this.#tabs]) {
      if (tab.missed++ >= MOST_MISSED) {
        this.#leave(id);
      } else {
        tab.post({type: 'ping', positions: [...tab.follows.values()].filter(follow => follow.phase === 'live')
          .map(follow => [follow.id, this.#topics.get(follow.topic).position])});
      }
    }
  }

  #follow(follow) {
    follow.tab.follows.set(follow.id, follow);
    const running = this.#live === null ? undefined : this.#topics.get(follow.topic);
    if (running !== undefined && (running.keys === null || running.keys.has(follow.key))) {
      follow.phase = 'joined';
      this.#readPast();
    } else {
      this.#restartSoon();
    }
  }

  #drop(tab, follow) {
    if (follow !== undefined) {
      tab.follows.delete(follow.id);
      follow.phase = 'dropped';
      follow.onDrop?.();
      this.#trim ??= setTimeout(() => {
        this.#trim = null;
        if (this.#live !== null && [...this.#topics.keys()].some(topic => !this.#wanted().has(topic))) {
          this.#run();
        }
      }, TRIM_AFTER);
    }
  }

  #follows() {
    return [...this.#tabs.values()].flatMap(tab => [...tab.follows.values()]);
  }

  /**
   * The topics of all tabs, each with the keys that any tab wants; null for all keys, also where the keys of many tabs
   * would make the address too long.
   */
  #wanted() {
    const wanted = new Map();
    for (const {topic, key} of this.#follows()) {
      const keys = wanted.get(topic);
      wanted.set(topic, key === null || keys === null ? null : new Set([...keys ?? [], key]));
    }
    const parameters = [...wanted].flatMap(([topic, keys]) => [...keys ?? []].map(key => `&key.${topic}=${encodeURIComponent(key)}`));
    if (parameters.join('').length > LONGEST_KEYS) {
      wanted.forEach((_, topic) => wanted.set(topic, null));
    }
    return wanted.size > 0 || this.#tabs.size === 0 ? wanted : new Map([[LIGHT_TOPIC, null]]);
  }

  /** All that tabs ask for at once is one new connection. */
  #restartSoon() {
    this.#restart ??= setTimeout(() => this.#run(), 0);
  }

  /** Opens the live feed anew: with the topics that are wanted now, each from where it was. */
  async #run() {
    clearTimeout(this.#restart);
    clearTimeout(this.#retry);
    this.#restart = null;
    this.#live?.abort();
    this.#live = null;
    const topics = [...this.#wanted()].map(([topic, keys]) =>
      ({topic, keys, from: 'now', position: this.#topics.get(topic)?.position ?? ''}));
    this.#topics = new Map(topics.map(each => [each.topic, each]));
    if (topics.length === 0) {
      this.#state = {state: 'connecting'};
      return;
    }
    const abort = new AbortController();
    this.#live = abort;
    this.#follows().filter(follow => follow.phase === 'new').forEach(follow => {
      follow.phase = 'joined';
    });
    this.#readPast();
    let reason = null;
    try {
      reason = await readFeed(topics, true, abort, {
        onOpen: () => {
          if (abort !== this.#live) {
            return;
          }
          if (topics.every(each => each.position === '')) {
            this.#readAt = Date.now();
          }
          if (!this.#beginAnewIfLate()) {
            this.#show({state: 'open'});
          }
        },
        onEvent: (event, data, of) => abort === this.#live && this.#onEvent(event, data, of),
        onRead: () => {
          if (abort !== this.#live || this.#beginAnewIfLate()) {
            return; // what is read after a sleep may have been waiting since before it
          }
          this.#attempt = 0;
          this.#readAt = Date.now();
          this.#flush();
          this.#readPast();
        },
      });
    } catch (failure) {
      if (abort === this.#live && failure instanceof Refused && failure.isFinal) {
        this.#live = null;
        this.#show({state: 'refused', message: failure.message, status: failure.status});
        return;
      }
      reason = reasonOf(failure);
    }
    if (abort === this.#live) {
      const wait = pause(this.#attempt++);
      this.#show({state: 'waiting', message: reason ?? 'the connection ended', retryAt: Date.now() + wait});
      this.#retry = setTimeout(() => this.#run(), wait);
    }
  }

  /** Whether nothing was read for so long that tabs have been told to begin anew. */
  #beginAnewIfLate() {
    if (Date.now() - this.#readAt <= REOPEN_AFTER) {
      return false;
    }
    this.#live.abort();
    this.#live = null;
    this.#state = {state: 'connecting'};
    this.#topics.clear();
    this.#tabs.forEach(tab => {
      tab.follows.forEach(follow => this.#drop(tab, follow));
      tab.post({type: 'reopen'});
    });
    return true;
  }

  #show(state) {
    this.#state = state;
    this.#tabs.forEach(tab => tab.post({type: 'state', state}));
  }

  #onEvent(event, data, of) {
    if (event === 'status') {
      this.#status = {type: 'status', body: data, at: Date.now()};
      this.#tabs.forEach(tab => tab.post(this.#status));
    } else if (of !== undefined && (event === 'record' || event === 'gap')) {
      this.#follows().filter(follow => follow.topic === of.topic && (follow.key === null || event === 'gap' || follow.key === data.key))
        .forEach(follow => live(follow, event, data));
    }
  }

  /** Sends what was taken since the last time. */
  #flush() {
    this.#follows().filter(follow => follow.phase === 'live').forEach(follow =>
      send(follow, this.#topics.get(follow.topic).position));
  }

  /** Reads what lies before the live feed, once it is known where that begins. */
  #readPast() {
    for (const tab of this.#tabs.values()) {
      const due = new Map();
      for (const follow of tab.follows.values()) {
        if (follow.phase === 'joined' && !due.has(follow.topic) && this.#topics.get(follow.topic).position !== '') {
          Object.assign(follow, {phase: 'reading', hasCaughtUp: false, begin: this.#topics.get(follow.topic).position});
          due.set(follow.topic, follow);
        }
      }
      if (due.size > 0) {
        this.#past.push([...due.values()]);
      }
    }
    while (this.#reading < MOST_PAST && this.#past.length > 0) {
      this.#reading++;
      this.#catchUp(this.#past.shift()).finally(() => {
        this.#reading--;
        this.#readPast();
      });
    }
  }

  async #catchUp(follows) {
    const topics = follows.map(follow => ({...follow, keys: follow.key === null ? null : new Set([follow.key]), follow}));
    for (let attempt = 0;; attempt++) {
      const left = topics.filter(each => each.follow.phase === 'reading');
      if (left.length === 0) {
        return;
      }
      const abort = new AbortController();
      const endIfDone = () => {
        if (left.every(each => each.follow.phase !== 'reading')) {
          abort.abort();
        }
      };
      left.forEach(({follow}) => {
        follow.onDrop = endIfDone;
      });
      try {
        await readFeed(left, false, abort, {
          onEvent: (event, data, of) => of !== undefined && of.follow.phase === 'reading' && onPast(event, data, of.follow),
          onRead: () => {
            left.filter(each => each.follow.phase === 'reading').forEach(each => this.#onReadPast(each));
            endIfDone();
          },
        });
      } catch (failure) {
        if (failure instanceof Refused && failure.isFinal) {
          left.forEach(({follow, position}) => Object.assign(follow, {phase: 'new', position, waiting: []}));
          follows[0].tab.post({type: 'state', state: {state: 'refused', message: failure.message, status: failure.status}});
          return;
        }
      }
      if (left.some(each => each.follow.phase === 'reading')) {
        await new Promise(resolve => {
          setTimeout(resolve, pause(attempt));
        });
      }
    }
  }

  /** The past ends where the live feed began, which may be another instance's, ahead of the one that is read here. */
  #onReadPast({follow, position}) {
    const isDone = follow.hasCaughtUp && !isBefore(position, follow.begin);
    if (isDone && follow.hasLost) {
      Object.assign(follow, {phase: 'joined', position, hasLost: false}); // again, up to what is new now
    } else if (isDone) {
      follow.out.push(...follow.waiting.splice(0));
      follow.phase = 'live';
      position = this.#topics.get(follow.topic).position;
    }
    send(follow, position);
    if (follow.phase === 'live') {
      follow.tab.post({type: 'caught-up', id: follow.id});
    }
  }
}

function onPast(event, data, follow) {
  if (event === 'record') {
    follow.out.push(data);
  } else if (event === 'gap') {
    follow.tab.post({type: 'gap', id: follow.id, gap: data});
  } else if (event === 'caught-up') {
    follow.hasCaughtUp = true;
  }
}

/** Whether a position is before another one in any partition of the same topic. */
function isBefore(position, other) {
  const [topic, ...offsets] = position.split('.');
  const [otherTopic, ...others] = other.split('.');
  return topic === otherTopic && others.some((offset, partition) => Number(offsets[partition]) < Number(offset));
}

function live(follow, event, data) {
  if (event === 'gap') {
    follow.tab.post({type: 'gap', id: follow.id, gap: data});
  } else if (follow.phase === 'live') {
    follow.out.push(data);
  } else if (follow.phase !== 'new' && follow.waiting.push(data) > MOST_WAITING) {
    follow.waiting = [];
    follow.hasLost = true;
  }
}

function send(follow, position) {
  if (follow.out.length > 0) {
    follow.tab.post({type: 'records', id: follow.id, records: follow.out.splice(0), position});
  }
}
