// Notices of alerts on the desktop, for those who asked for them in this browser.

import {recall, remember} from './storage.js';
import {count, moment, visible} from './text.js';

const ICON = '/page/icon.svg';
const SEVERITIES = ['info', 'warning', 'critical'];
const LATE = 120_000;
const MOST_LATE = 3; // more are one notice
const GATHER = 2_000; // after the newest late alert: they come one soon after the other

/** The choices: [least severity, label]; none for no notices. */
export const CHOICES = [['none', 'Off'], ['critical', 'Critical'], ['warning', 'Warning'], ['info', 'All']];

/** The choice that holds; none if the browser shows no notices, such as after its permission was taken back. */
export function chosenNotices() {
  return typeof Notification === 'undefined' || Notification.permission !== 'granted' ? 'none' : recall('notices', 'none');
}

/**
 * Chooses the least severity of alerts that are shown, and shows a notice that says so. Returns the choice that holds:
 * none if the browser refuses or cannot show the notice.
 */
export async function chooseNotices(least) {
  const isAllowed = least === 'none' || (typeof Notification !== 'undefined' && await Notification.requestPermission() === 'granted');
  const isShown = isAllowed && (least === 'none' || notification('Notices are on', {
    body: least === 'info' ? 'All alerts are shown like this.' : `Alerts of severity ${least} or higher are shown like this.`,
    tag: 'chosen', icon: ICON}) !== null);
  const chosen = isShown ? least : 'none';
  remember('notices', chosen);
  window.dispatchEvent(new Event('notices'));
  return chosen;
}

/** Shows each alert that begins from now on, if it is as severe as was chosen; after a reconnection, also those of before. */
export function showNotices(feed, now) {
  let stop = null;
  let late = [];
  let timer = null;
  const follow = () => {
    const followedAt = Date.now(); // in the browser's time: the server's time is not known before its first status
    stop?.();
    clearTimeout(timer);
    late = [];
    // also without permission, which may be given again at any time
    stop = recall('notices', 'none') === 'none' ? null : feed.follow({topic: 'alerts', from: 'now', isKept: true, onRecord: record => {
      const age = now() - record.timestamp;
      if (isNews(record.value) && age < LATE) {
        showAlert(record);
      } else if (isNews(record.value) && age < LATE + Date.now() - followedAt) {
        late.push(record);
        clearTimeout(timer);
        timer = setTimeout(() => showLate(late.splice(0), now()), GATHER);
      }
    }});
  };
  window.addEventListener('notices', follow);
  window.addEventListener('storage', event => event.key === 'tidemark.notices' && follow());
  follow();
}

function isNews(value) {
  const least = SEVERITIES.indexOf(chosenNotices()); // -1 for none
  return value !== null && ['firing', 'fired'].includes(value.status) && !value.silenced
    && least >= 0 && SEVERITIES.indexOf(value.severity) >= least;
}

function titleOf({severity, rule}) {
  return `${severity}: ${rule}`;
}

function showAlert({value}, began = '') {
  show(titleOf(value), began + value.summary, value.id);
}

/** Shows alerts that began a while ago, with the time at which they began. */
function showLate(late, now) {
  if (late.length > MOST_LATE) {
    const first = Math.min(...late.map(each => each.timestamp));
    show(`${count(late.length)} alerts since ${moment(first, now)}`, [...new Set(late.map(each => titleOf(each.value)))].join(', '), 'late');
  } else {
    late.forEach(each => showAlert(each, `${moment(each.timestamp, now)}: `));
  }
}

function show(title, body, tag) { // several tabs show one notice, because its tag is the same
  const shown = notification(visible(title, 60), {body: visible(body, 200), tag, icon: ICON});
  if (shown !== null) {
    shown.onclick = () => {
      window.focus();
      location.hash = '#/alerts';
    };
  }
  beep();
}

/** A notice of the desktop, or null where the browser has none, such as on phones. */
function notification(title, options) {
  try {
    return new Notification(title, options);
  } catch {
    return null;
  }
}

/** A short tone. None until somebody has clicked on the page, as browsers demand. */
function beep() {
  if (!navigator.userActivation?.hasBeenActive) {
    return;
  }
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  volume.gain.value = 0.08;
  tone.frequency.value = 880;
  tone.connect(volume).connect(context.destination);
  tone.onended = () => context.close();
  tone.start();
  tone.stop(context.currentTime + 0.15);
}
