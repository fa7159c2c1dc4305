// The page: its views by address, the state of its connections, the theme.

import {condition, lastPoll, readStatus} from './condition.js';
import {element, notice} from './dom.js';
import {Feed, Refused, refusal} from './feed.js';
import {clock, visible} from './text.js';

const STATUS_EVERY = 5_000;
const TICK = 1_000;
const HIDDEN = 60_000; // a tab that nobody sees gives its connections back after that, and resumes when it is seen

const VIEWS = [
  {path: 'live', title: 'Live', sign: '≋', load: () => import('./views/live.js')},
  {path: 'new', title: 'New pools', sign: '✦', load: () => import('./views/new-pools.js')},
  {path: 'trending', title: 'Trending', sign: '↗', load: () => import('./views/trending.js')},
  {path: 'movers', title: 'Movers', sign: '⇅', load: () => import('./views/movers.js')},
  {path: 'coins', title: 'Coins', sign: '◎', load: () => import('./views/coins.js')},
  {path: 'alerts', title: 'Alerts', sign: '!', load: () => import('./views/alerts.js')},
  {path: 'treasuries', title: 'Treasuries', sign: '▤', load: () => import('./views/treasuries.js')},
  {path: 'launches', title: 'Launches', sign: '▲', load: () => import('./views/launches.js')},
  {path: 'dominance', title: 'Dominance', sign: '◕', load: () => import('./views/dominance.js')},
  {path: 'coverage', title: 'Coverage', sign: '⊙', load: () => import('./views/coverage.js')},
  {path: 'pool', hidden: true, title: 'Pool', load: () => import('./views/pool.js')},
  {path: 'coin', hidden: true, title: 'Coin', load: () => import('./views/coin.js')},
  {path: 'find', hidden: true, title: 'Find', load: () => import('./views/find.js')},
  {path: 'login', hidden: true, title: 'Log in', load: () => import('./views/login.js')},
];

const main = document.getElementById('main');
const feeds = new Set();
const statusListeners = new Set();
let view = null;
let opening = 0;
let skew = 0;
let status = null;
let statusAt = null;
let statusFailure = null;
let statusDueAt = 0;
let lastRecordAt = null;
let lostSince = null;

/** The server's time, as far as the page can tell. */
function now() {
  return Date.now() + skew;
}

/** What a view has from the page; all of it ends with the view. */
class Scope {
  #ends = [];
  #feed = null;

  constructor(parameters) {
    this.parameters = parameters;
    this.now = now;
  }

  /**
   * Follows topics; see Feed.add. All topics of a view have one connection: a browser opens six to a host, over all its
   * tabs. Problems show at the top of the page.
   */
  feed(options) {
    const stops = options.topics.map(topic => this.#connection().add({
      ...options,
      topic,
      onRecord: record => {
        record.topic = topic; // without the prefix of the source
        lastRecordAt = Math.max(lastRecordAt ?? 0, record.timestamp);
        options.onRecord(record);
      },
      onGap: gap => say(`Gap: ${gap?.records ?? 'some'} records are not kept any more and are missing here.`),
    }));
    return {close: () => stops.forEach(stop => stop())};
  }

  #connection() {
    if (this.#feed === null) {
      this.#feed = new Feed(state => {
        if (state.state === 'refused' && state.status === 401) {
          logIn();
        }
        showCondition();
      });
      feeds.add(this.#feed);
      this.#ends.push(() => {
        feeds.delete(this.#feed);
        this.#feed.close();
      });
    }
    return this.#feed;
  }

  /** What the mirror or the server answers, as JSON; throws Refused. */
  async json(address) {
    return await answer(address);
  }

  /** Runs a function now and then. */
  every(pause, task) {
    const timer = setInterval(task, pause);
    this.#ends.push(() => clearInterval(timer));
  }

  /** Runs a function with each new status of the server, and with the one that is known. */
  onStatus(listener) {
    statusListeners.add(listener);
    this.#ends.push(() => statusListeners.delete(listener));
    if (status !== null) {
      listener(status);
    }
  }

  get status() {
    return status;
  }

  onEnd(task) {
    this.#ends.push(task);
  }

  end() {
    this.#ends.forEach(end => end());
    this.#ends = [];
  }
}

async function answer(address) {
  const response = await fetch(address, {headers: {Accept: 'application/json'}, signal: AbortSignal.timeout(20_000)});
  if (response.status === 401) {
    logIn();
  }
  if (!response.ok) {
    throw await refusal(response);
  }
  const at = Date.parse(response.headers.get('Date') ?? '');
  if (address.startsWith('/v1/status') && Number.isFinite(at)) {
    const ahead = at + 500 - Date.now();
    skew = Math.abs(ahead) > 3000 ? ahead : 0;
  }
  return await response.json();
}

function logIn() {
  if (!location.hash.startsWith('#/login')) {
    location.hash = `#/login?back=${encodeURIComponent(location.hash.slice(1) || '/live')}`;
  }
}

async function open() {
  const [path, query = ''] = (location.hash.slice(1) || '/live').split('?', 2);
  const [, first = 'live', ...rest] = path.split('/');
  const chosen = VIEWS.find(each => each.path === first) ?? VIEWS[0];
  const mine = ++opening;
  view?.end();
  view = null;
  for (const link of document.querySelectorAll('#views a')) {
    const parent = chosen.path === 'coin' ? 'coins' : chosen.path;
    if (link.dataset.path === parent) {
      link.setAttribute('aria-current', 'page');
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const scope = new Scope({path: rest.map(decode), query: new URLSearchParams(query)});
  try {
    const module = await chosen.load();
    if (mine !== opening) {
      return;
    }
    view = scope;
    lastRecordAt = null;
    document.title = `${chosen.title} · Tidemark`;
    main.replaceChildren(module.show(scope));
    main.dataset.view = chosen.path;
    window.scrollTo(0, 0);
    document.querySelector(`#views a[aria-current]`)?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  } catch (failure) {
    if (mine === opening) {
      main.replaceChildren(notice(`This view cannot be shown: ${visible(failure.message, 200)}`, 'bad'));
      console.error(failure);
    }
  }
}

function decode(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

async function readStatusNow() {
  statusDueAt = Date.now() + STATUS_EVERY;
  try {
    status = readStatus(await answer('/v1/status'));
    statusAt = now();
    statusFailure = null;
    statusListeners.forEach(listener => listener(status));
  } catch (failure) {
    statusFailure = failure instanceof Refused ? failure.status === 401 ? null : failure.message : 'the server does not answer';
  }
  showCondition();
}

function showCondition() {
  const source = status?.sources[0] ?? null;
  const found = condition({
    now: now(), statusAt, statusFailure, retryAt: statusDueAt + skew,
    feeds: [...feeds].map(feed => feed.state), source, lastRecordAt,
    lastPollAt: source === null ? null : lastPoll(source),
  });
  const pill = document.getElementById('status');
  const text = document.getElementById('status-text');
  if (pill.dataset.level !== found.level) {
    if (found.level === 'lost') {
      lostSince = now();
    } else if (pill.dataset.level === 'lost' && found.level !== 'waiting') {
      say(`Connected again at ${clock(now())}. The feeds resumed where they broke off${
        lostSince === null ? '' : `, at ${clock(lostSince)}`}.`);
    }
    pill.setAttribute('aria-live', 'polite');
    pill.dataset.level = found.level;
  } else {
    pill.setAttribute('aria-live', 'off'); // its seconds count; only another level is announced
  }
  if (text.textContent !== found.text) {
    text.textContent = found.text;
    pill.title = found.text;
  }
}

/** Tells people something once; it goes by itself. */
function say(text) {
  const toast = element('div.toast', {role: 'status'}, visible(text, 200), element('button.icon', {
    type: 'button', 'aria-label': 'Close', onclick: () => toast.remove(),
  }, '×'));
  document.body.append(toast);
  setTimeout(() => toast.remove(), 8_000);
}

function showNavigation() {
  document.getElementById('views').append(...VIEWS.filter(each => !each.hidden).map(each => element('li', {},
    element('a', {href: `#/${each.path}`, 'data-path': each.path},
      element('span.sign', {'aria-hidden': 'true'}, each.sign), element('span', {}, each.title)))));
}

function switchTheme() {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  try {
    localStorage.setItem('tidemark.theme', root.dataset.theme);
  } catch {
    // storage is forbidden: the choice holds until the page is closed
  }
  window.dispatchEvent(new Event('theme'));
}

showNavigation();
document.getElementById('theme').addEventListener('click', switchTheme);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => window.dispatchEvent(new Event('theme')));
document.getElementById('skip').addEventListener('click', event => {
  event.preventDefault();
  main.focus();
});
document.getElementById('find').addEventListener('submit', event => {
  event.preventDefault();
  const text = document.getElementById('find-text').value.trim();
  if (text !== '') {
    location.hash = `#/find/${encodeURIComponent(text)}`;
  }
});
document.addEventListener('keydown', event => {
  if (event.key === '/' && !event.ctrlKey && !event.metaKey && !event.altKey
      && !/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) {
    event.preventDefault();
    document.getElementById('find-text').focus();
  }
});
window.addEventListener('hashchange', open);
let hiddenTimer = null;
document.addEventListener('visibilitychange', () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) {
    hiddenTimer = setTimeout(() => feeds.forEach(feed => feed.suspend()), HIDDEN);
  } else {
    feeds.forEach(feed => feed.resume());
  }
});
window.addEventListener('online', () => feeds.forEach(feed => feed.retry()));
setInterval(() => {
  if (Date.now() >= statusDueAt) {
    readStatusNow();
  } else {
    showCondition();
  }
}, TICK);
readStatusNow();
open();
