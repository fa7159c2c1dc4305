// The page: its views by address, the state of its connections, the theme.

import {condition, readStatus} from './condition.js';
import {element, notice, renewTimes} from './dom.js';
import {Feed} from './feed.js';
import {REOPEN_AFTER} from './hub.js';
import {showNotices} from './notices.js';
import {pause, reasonOf, refusal, Refused} from './stream.js';
import {clock, visible} from './text.js';
import {marked} from './watchlist.js';

const TICK = 1_000;
const HIDDEN = 60_000; // a tab that nobody sees follows nothing after that, and resumes when it is seen

const PASSING = [429, 502, 503, 504]; // answers after which the same request may succeed

const VIEWS = [
  {path: 'mine', title: 'My list', sign: '★', load: () => import('./views/mine.js')},
  {path: 'overview', title: 'Overview', sign: '⊞', load: () => import('./views/overview.js')},
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

const KEYS = [
  {key: '/', text: 'Find a pool, token, coin, treasury, exchange or platform', run: () => document.getElementById('find-text').focus()},
  {key: 'j', text: 'Next row of a table; enter opens it', run: () => step(1)},
  {key: 'k', text: 'Row before', run: () => step(-1)},
  {key: '?', text: 'These keys', run: showKeys},
];

const main = document.getElementById('main');
const statusListeners = new Set();
let view = null;
let opening = 0;
let skew = 0;
let status = null;
let connection = {state: 'connecting'};
let isLoginRequired = false;
let lostSince = null;

/** The server's time, by the newest status. */
function now() {
  return Date.now() + skew;
}

/** What a view has from the page; all of it ends with the view. */
class Scope {
  #ends = [];

  #lastChoice = null;
  #isEnded = false;
  #reading = new Map();
  #failing = new Set();
  /** What cannot be read at the moment, shown above the view. */
  problem = element('p.notice.box.warn', {role: 'status', hidden: true});

  constructor(parameters) {
    this.parameters = parameters;
    this.now = now;
  }

  /** What the address says of a choice in this view, or `otherwise` if it says nothing. */
  chosen(choice, otherwise = '') {
    return this.parameters.query.get(choice) ?? otherwise;
  }

  /**
   * Puts a choice into the address, so that a link, a reload and Back show it again; `otherwise`, which holds without
   * it, stays out of the address. Choices of one kind in a row, such as the letters of a text, are one step for Back.
   */
  choose(choice, value, otherwise = '') {
    if (this.#isEnded) {
      return;
    }
    const {view, query} = this.parameters;
    if (String(value) === String(otherwise)) {
      query.delete(choice);
    } else {
      query.set(choice, value);
    }
    const text = query.toString();
    history[this.#lastChoice === choice ? 'replaceState' : 'pushState'](null, '', `#${view}${text === '' ? '' : `?${text}`}`);
    this.#lastChoice = choice;
  }

  /** Follows topics, as Feed.follow does each. Problems show at the top of the page. */
  follow({topics, ...options}) {
    const stops = topics.map(topic => feed.follow({
      ...options,
      topic,
      onGap: gap => say(`Gap: ${gap.records ?? 'some'} records are not kept any more and are missing here.`),
    }));
    const stop = () => stops.forEach(each => each());
    this.#endWithView(stop);
    return stop;
  }

  /** Names the tab, unless the view has ended. */
  title(text) {
    if (!this.#isEnded) {
      document.title = `${text} · Tidemark`;
    }
  }

  leaveLogin() {
    leaveLogin();
  }

  /** The key of this browser is another one now. */
  renew() {
    feed.renew();
  }

  /**
   * What the mirror or the server answers, as JSON; throws Refused. While an address is being read, it is read once.
   * isOnce: whether the request is not repeated, whatever it fails by.
   */
  json(address, {isOnce = false} = {}) {
    if (!this.#reading.has(address)) {
      this.#reading.set(address, this.#read(address, isOnce).finally(() => {
        this.#reading.delete(address);
        this.#failing.delete(address);
        this.problem.hidden = this.#failing.size === 0;
      }));
    }
    return this.#reading.get(address);
  }

  /** Repeats the request until it succeeds, fails for good, or the view has ended. */
  async #read(address, isOnce) {
    for (let attempt = 0;; attempt++) {
      let wait = pause(attempt);
      try {
        const response = await fetch(address, {headers: {Accept: 'application/json'},
          cache: 'no-cache', signal: AbortSignal.timeout(20_000)}); // what is stored in the browser is compared, never shown by itself
        if (response.ok) {
          return await response.json();
        }
        if (response.status === 401) {
          logIn();
        }
        wait = 1000 * Number(response.headers.get('retry-after')) || wait;
        throw await refusal(response);
      } catch (failure) {
        const mayPass = failure instanceof Refused ? PASSING.includes(failure.status) : !(failure instanceof SyntaxError);
        if (!mayPass || isOnce || this.#isEnded) {
          throw failure;
        }
        this.#failing.add(address);
        this.problem.textContent = `This view is not complete yet: ${visible(reasonOf(failure), 200)}. The page tries again by itself.`;
        this.problem.hidden = false;
        await new Promise(resolve => setTimeout(resolve, wait));
        if (this.#isEnded) {
          throw failure;
        }
      }
    }
  }

  /** Runs a function now and then. */
  every(pause, task) {
    const timer = setInterval(task, pause);
    this.#endWithView(() => clearInterval(timer));
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
    this.#isEnded = true;
    this.#ends.forEach(end => end());
    this.#ends = [];
  }

  /** What is asked for after the end of the view, such as by a button of it that is still there, ends at once. */
  #endWithView(end) {
    this.#ends.push(end);
    if (this.#isEnded) {
      this.end();
    }
  }
}

/** The view of an address that names none. */
function firstView() {
  return marked().length > 0 ? '/mine' : '/overview';
}

function logIn() {
  isLoginRequired = true;
  if (!location.hash.startsWith('#/login')) {
    location.hash = `#/login?back=${encodeURIComponent(location.hash.slice(1) || firstView())}`;
  }
}

/** From the form to what was asked for. */
function leaveLogin() {
  const back = new URLSearchParams(location.hash.split('?', 2)[1]).get('back');
  if (location.hash.startsWith('#/login')) {
    location.hash = `#${back?.startsWith('/') && !back.startsWith('/login') ? back : firstView()}`;
  }
}

async function open() {
  const [path, query = ''] = (location.hash.slice(1) || firstView()).split('?', 2);
  const [, first, ...rest] = path.split('/');
  const chosen = VIEWS.find(each => each.path === first) ?? VIEWS.find(each => each.path === 'overview');
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
  const scope = new Scope({view: path, path: rest.map(decode), query: new URLSearchParams(query)});
  try {
    const module = await chosen.load();
    if (mine !== opening) {
      return;
    }
    view = scope;
    scope.title(chosen.title);
    main.replaceChildren(scope.problem, module.show(scope));
    main.dataset.view = chosen.path;
    window.scrollTo(0, 0);
    document.querySelector(`#views a[aria-current]`)?.scrollIntoView({block: 'nearest', inline: 'nearest'});
  } catch (failure) {
    if (mine === opening) {
      main.replaceChildren(notice(`This view cannot be shown: ${visible(failure.message, 200)}. Reload the page.`, 'bad'));
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

const feed = new Feed({
  onState: state => {
    connection = state;
    if (state.state === 'refused') {
      logIn();
    } else if (isLoginRequired && state.state === 'open') {
      isLoginRequired = false;
      leaveLogin(); // logged in, here or in another tab
    }
    showCondition();
  },
  onReopen: () => {
    lostSince = null;
    if (document.hidden) { // of many tabs, only what someone sees is read at once
      feed.suspend();
      hiddenSince = 0;
    } else {
      open();
    }
  },
  onStatus: (body, at) => {
    skew = body.now - at;
    status = readStatus(body);
    statusListeners.forEach(listener => listener(status));
    showCondition();
  },
});

function showCondition() {
  const found = condition({now: now(), connection, retryAt: (connection.retryAt ?? 0) + skew,
    hasStatus: status !== null, source: status?.sources[0] ?? null, health: status?.health});
  const pill = document.getElementById('status');
  const text = document.getElementById('status-text');
  if (pill.dataset.level !== found.level) {
    if (found.level === 'lost') {
      lostSince = now();
    } else if (pill.dataset.level === 'lost' && found.level !== 'waiting') {
      say(`Connected again at ${clock(now())}. ${lostSince === null ? 'The view was reloaded.'
        : `The feeds resumed where they broke off, at ${clock(lostSince)}.`}`);
    }
    const isCalm = level => level === 'live' || level === 'quiet'; // a quiet market is no news
    pill.setAttribute('aria-live', isCalm(found.level) && isCalm(pill.dataset.level) ? 'off' : 'polite');
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

/** Moves the focus to the link of the next row, or of the row before. */
function step(by) {
  const links = [...main.querySelectorAll('tbody tr')].map(row => row.querySelector('a')).filter(Boolean);
  const at = links.findIndex(link => link.closest('tr').contains(document.activeElement));
  links[at < 0 ? (by > 0 ? 0 : links.length - 1) : Math.max(0, Math.min(links.length - 1, at + by))]?.focus();
}

function showKeys() {
  const dialog = element('dialog.keys', {'aria-labelledby': 'keys-title', onclose: () => dialog.remove()},
    element('h2', {id: 'keys-title'}, 'Keys'),
    element('dl', {}, ...KEYS.flatMap(({key, text}) => [element('dt', {}, element('kbd', {}, key)), element('dd', {}, text)])),
    element('form', {method: 'dialog'}, element('button.button', {}, 'Close')));
  document.body.append(dialog);
  dialog.showModal();
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
  const task = event.ctrlKey || event.metaKey || event.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)
    ? undefined : KEYS.find(each => each.key === event.key);
  if (task !== undefined) {
    event.preventDefault();
    task.run();
  }
});
window.addEventListener('hashchange', open);
let hiddenTimer = null;
let hiddenSince = null;
const followVisibility = () => {
  clearTimeout(hiddenTimer);
  if (document.hidden) {
    hiddenSince = Date.now();
    hiddenTimer = setTimeout(() => feed.suspend(), HIDDEN);
    return;
  }
  if (hiddenSince !== null && Date.now() - hiddenSince > REOPEN_AFTER) {
    open();
  }
  hiddenSince = null;
  feed.resume();
};
document.addEventListener('visibilitychange', followVisibility);
window.addEventListener('online', () => feed.retry());
setInterval(showCondition, TICK);
setInterval(() => renewTimes(Date.now()), 60_000);
showNotices(feed, now);
open();
followVisibility(); // a tab may be opened in the background
