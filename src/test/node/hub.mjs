// Runs the connection of a browser in virtual time against a server that this script plays.
// Usage: node hub.mjs <hub.js of the page>

import assert from 'node:assert';
import {resolve} from 'node:path';
import {mock} from 'node:test';
import {pathToFileURL} from 'node:url';

const MINUTE = 60_000;
const {Hub} = await import(pathToFileURL(resolve(process.argv[2])).href);

const requests = [];
globalThis.fetch = (address, {headers, signal}) => new Promise((answer, fail) => {
  const query = new URLSearchParams(address.split('?')[1]);
  const request = {topics: query.getAll('topic'), isLive: query.has('status'), position: headers['Last-Event-ID']};
  let events;
  const body = new ReadableStream({start: controller => {
    events = controller;
  }}, {highWaterMark: Infinity});
  signal.addEventListener('abort', () => {
    request.isAborted = true;
    fail(signal.reason);
    events.error(signal.reason);
  });
  Object.assign(request, {
    accept: () => answer(new Response(body)),
    refuse: status => answer(new Response('', {status})),
    lose: () => {
      fail(new TypeError('Failed to fetch'));
      events.error(new TypeError('Failed to fetch'));
    },
    send: (id, event, data) => events.enqueue(new TextEncoder().encode(
      `id: ${id}\n${event === null ? '' : `event: ${event}\ndata: ${JSON.stringify(data)}\n`}\n`)),
  });
  requests.push(request);
});

const record = offset => ({topic: 'x.alerts', partition: 0, offset, key: 'k'});

/** Waits until the code under test, which has no more timers to wait for, has got as far as that. */
async function until(condition) {
  for (let turn = 0; !condition() && turn < 1_000; turn++) {
    await new Promise(setImmediate);
  }
  assert.ok(condition(), condition.toString());
}

async function next(isWanted) {
  await until(() => requests.some(isWanted));
  return requests.splice(requests.findIndex(isWanted), 1)[0];
}

/** A tab whose follow 1 of the topic alerts is live at offset 5. */
async function liveTab() {
  requests.splice(0);
  const hub = new Hub();
  const got = [];
  const tab = {
    got, offsets: () => got.filter(each => each.type === 'records').flatMap(each => each.records.map(({offset}) => offset)),
    has: type => got.some(each => each.type === type), state: () => got.findLast(each => each.type === 'state').state,
    tell: message => hub.take('tab', each => each.type === 'ping' ? tab.tell({type: 'here'}) : got.push(each), message),
  };
  tab.tell({type: 'hello'});
  tab.tell({type: 'follow', id: 1, topic: 'alerts', from: '1h', key: null, position: ''});
  mock.timers.tick(0);
  tab.live = await next(each => each.isLive);
  tab.live.accept();
  tab.live.send('T.5', null);
  tab.past = await next(each => !each.isLive);
  tab.past.accept();
  return tab;
}

const TESTS = {
  async connectionLostForLong_beginsTabsAnew() {
    const tab = await liveTab();
    tab.past.send('T.5', 'caught-up', {topic: 'x.alerts'});
    await until(() => tab.has('caught-up'));
    tab.live.lose();
    await until(() => tab.state().state === 'waiting');
    for (let minute = 0; minute < 6; minute++) {
      mock.timers.tick(MINUTE);
      (await next(each => each.isLive)).lose();
      await until(() => tab.state().retryAt > Date.now());
    }
    assert.ok(!tab.has('reopen'));
    mock.timers.tick(MINUTE);
    const resumed = await next(each => each.isLive);
    assert.strictEqual(resumed.position, 'T.5');
    resumed.accept();
    await until(() => tab.has('reopen') && resumed.isAborted);
    tab.tell({type: 'hello'});
    tab.tell({type: 'follow', id: 2, topic: 'alerts', from: '1h', key: null, position: 'T.5'});
    mock.timers.tick(0);
    const anew = await next(each => each.isLive);
    assert.strictEqual(anew.position, undefined);
    anew.accept();
    anew.send('T.900', null);
    assert.strictEqual((await next(each => !each.isLive)).position, 'T.5');
  },

  /** A sleeping computer runs no timers, and reads what had come before it when it wakes up. */
  async dataThatWaitedDuringASleep_beginsTabsAnew() {
    const tab = await liveTab();
    tab.past.send('T.5', 'caught-up', {topic: 'x.alerts'});
    await until(() => tab.has('caught-up'));
    mock.timers.setTime(Date.now() + 6 * MINUTE);
    tab.live.send('T.6', 'record', record(5));
    await until(() => tab.has('reopen') && tab.live.isAborted);
  },

  async connectionAfterMinutesWithoutTabs_isNotBegunAnew() {
    const tab = await liveTab();
    tab.past.send('T.5', 'caught-up', {topic: 'x.alerts'});
    await until(() => tab.has('caught-up'));
    tab.tell({type: 'bye'});
    mock.timers.tick(6 * MINUTE);
    await until(() => tab.live.isAborted);
    tab.tell({type: 'hello'});
    tab.tell({type: 'follow', id: 2, topic: 'alerts', from: '1h', key: null, position: 'T.5'});
    mock.timers.tick(0);
    const live = await next(each => each.isLive);
    live.accept();
    live.send('T.6', null);
    const past = await next(each => !each.isLive);
    past.accept();
    past.send('T.6', 'record', record(5));
    await until(() => tab.offsets().includes(5));
    assert.ok(!tab.has('reopen'));
  },

  async connectionLostBriefly_resumes() {
    const tab = await liveTab();
    tab.past.send('T.5', 'caught-up', {topic: 'x.alerts'});
    await until(() => tab.has('caught-up'));
    tab.live.lose();
    await until(() => tab.state().state === 'waiting');
    mock.timers.tick(MINUTE);
    const resumed = await next(each => each.isLive);
    assert.strictEqual(resumed.position, 'T.5');
    resumed.accept();
    resumed.send('T.6', 'record', record(5));
    await until(() => tab.offsets().includes(5));
    assert.ok(!tab.has('reopen'));
  },

  async instanceBehindTheLiveOne_isReadUntilBothMeet() {
    const tab = await liveTab();
    tab.past.send('T.3', 'record', record(2));
    tab.past.send('T.3', 'caught-up', {topic: 'x.alerts'}); // offsets 3 and 4 have not reached this instance yet
    tab.live.send('T.6', 'record', record(5));
    await until(() => tab.offsets().includes(2));
    assert.ok(!tab.has('caught-up'));
    tab.past.send('T.4', 'record', record(3));
    tab.past.send('T.5', 'record', record(4));
    await until(() => tab.has('caught-up'));
    assert.deepStrictEqual(tab.offsets(), [2, 3, 4, 5]);
  },

  async refusedAsNotLoggedIn_followsAfterTheLogin() {
    const tab = await liveTab();
    tab.past.lose();
    await until(() => requests.some(each => !each.isLive) || (mock.timers.tick(1_000), false));
    (await next(each => !each.isLive)).refuse(401);
    await until(() => tab.state().state === 'refused');
    tab.tell({type: 'renew'});
    const live = await next(each => each.isLive);
    live.accept();
    const past = await next(each => !each.isLive);
    past.accept();
    past.send('T.5', 'caught-up', {topic: 'x.alerts'});
    await until(() => tab.has('caught-up'));
  },
};

for (const [name, test] of Object.entries(TESTS)) {
  mock.timers.enable({apis: ['setTimeout', 'setInterval', 'Date'], now: 1e12});
  await test();
  mock.timers.reset();
  console.log(name);
}
process.exit();
