// What a tab follows, over the one connection of its browser.

import {Hub} from './hub.js';

const VERSION = 2; // of the messages: a worker of another version, of an older page that is still open, stays that page's

/** The topics that a tab follows. */
export class Feed {
  #follows = new Map();
  #ids = 0;
  #isSuspended = false;
  #post;
  #listener;

  /** listener: {onState(state), onStatus(body, at), onReopen()}, as the hub sends them */
  constructor(listener) {
    this.#listener = listener;
    this.#post = connect(message => this.take(message));
    this.#post({type: 'hello'});
    window.addEventListener('pagehide', () => this.#post({type: 'bye'}));
    window.addEventListener('pageshow', event => event.persisted && this.#begin());
  }

  /**
   * Follows a topic: {topic, from, key (all without it), isKept (also while the tab is hidden), onRecord(record),
   * onCaughtUp(), onGap(gap)}. Returns what stops it. A record comes once.
   */
  follow(options) {
    const follow = {key: null, from: 'now', isKept: false, ...options, id: ++this.#ids, position: '', next: new Map()};
    this.#follows.set(follow.id, follow);
    if (this.#isFollowed(follow)) {
      this.#ask(follow);
    }
    return () => {
      this.#follows.delete(follow.id);
      this.#post({type: 'drop', id: follow.id});
    };
  }

  /** Tries again at once, if the connection is waiting. */
  retry() {
    this.#post({type: 'retry'});
  }

  /** Opens the connection anew, for all tabs, with the key that the browser has now. */
  renew() {
    this.#post({type: 'renew'});
  }

  /** Follows only what is kept; resume() goes on where it stopped. */
  suspend() {
    this.#isSuspended = true;
    this.#suspended().forEach(({id}) => this.#post({type: 'drop', id}));
  }

  resume() {
    if (this.#isSuspended) {
      this.#isSuspended = false;
      this.#suspended().forEach(follow => this.#ask(follow));
    }
  }

  #suspended() {
    return [...this.#follows.values()].filter(follow => !follow.isKept);
  }

  #begin() {
    this.#post({type: 'hello'});
    [...this.#follows.values()].filter(follow => this.#isFollowed(follow)).forEach(follow => this.#ask(follow));
  }

  #ask({id, topic, from, key, position}) {
    this.#post({type: 'follow', id, topic, from, key, position});
  }

  /** Whether a follow, if there is one, takes what comes. One that is suspended gets it again when it resumes. */
  #isFollowed(follow) {
    return follow !== undefined && (!this.#isSuspended || follow.isKept);
  }

  /** Takes a message of the hub. */
  take(message) {
    const follow = this.#follows.get(message.id);
    switch (message.type) {
      case 'records':
        if (this.#isFollowed(follow)) {
          message.records.forEach(record => take(follow, record));
          follow.position = message.position;
        }
        break;
      case 'caught-up':
        follow?.onCaughtUp?.();
        break;
      case 'gap':
        follow?.next.delete(message.gap.partition); // of a topic that was created anew, offsets begin again
        follow?.onGap?.(message.gap);
        break;
      case 'state':
        this.#listener.onState(message.state);
        break;
      case 'status':
        this.#listener.onStatus(message.body, message.at);
        break;
      case 'reopen':
        this.#listener.onReopen(); // ends what is not to be resumed
        this.#begin();
        break;
      case 'ping':
        message.positions.filter(([id]) => this.#isFollowed(this.#follows.get(id))).forEach(([id, position]) => {
          this.#follows.get(id).position = position;
        });
        this.#post({type: 'here'});
        break;
      default: // unknown
        this.#begin();
    }
  }
}

function take(follow, record) {
  if (record.offset >= (follow.next.get(record.partition) ?? 0)) {
    follow.next.set(record.partition, record.offset + 1);
    record.topic = follow.topic; // without the prefix of the source
    follow.onRecord(record);
  }
}

/**
 * The way to the connection of the browser: a shared worker; without one, the tab that holds a lock, over a channel;
 * without these, a connection of this tab's own. Returns what sends a message there.
 */
function connect(onMessage) {
  const others = () => navigator.locks === undefined || typeof BroadcastChannel === 'undefined'
    ? alone(onMessage) : elected(onMessage);
  if (typeof SharedWorker === 'undefined') {
    return others();
  }
  const worker = new SharedWorker('/page/worker.js', {type: 'module', name: `tidemark ${VERSION}`});
  let post = message => worker.port.postMessage(message);
  worker.onerror = () => {
    post = others();
    onMessage({type: 'unknown'});
  };
  worker.port.onmessage = ({data}) => onMessage(data);
  return message => post(message);
}

function alone(onMessage) {
  const hub = new Hub();
  return message => hub.take('', onMessage, message);
}

/** The tab that holds the lock has the connection; when it is closed, another gets the lock, and all follow anew. */
function elected(onMessage) {
  const own = crypto.randomUUID();
  const channel = new BroadcastChannel(`tidemark ${VERSION}`);
  let hub = null;
  channel.onmessage = ({data: {to, from, message}}) => {
    if (to === 'hub') {
      hub?.take(from, answer => channel.postMessage({to: from, message: answer}), message);
    } else if (to === own || to === 'all') {
      onMessage(message);
    }
  };
  navigator.locks.request(`tidemark ${VERSION}`, () => {
    hub = new Hub();
    channel.postMessage({to: 'all', message: {type: 'unknown'}});
    onMessage({type: 'unknown'});
    return new Promise(() => {}); // held until the tab is closed
  });
  return message => {
    if (hub === null) {
      channel.postMessage({to: 'hub', from: own, message});
    } else {
      hub.take(own, onMessage, message);
    }
  };
}
