// Notices of alerts on the desktop, for those who asked for them in this browser.

import {recall, remember} from './storage.js';
import {visible} from './text.js';

const SEVERITIES = ['info', 'warning', 'critical'];

/** The choices: [least severity, label]; none for no notices. */
export const CHOICES = [['none', 'Off'], ['critical', 'Critical'], ['warning', 'Warning'], ['info', 'All']];

export function chosenNotices() {
  return recall('notices', 'none');
}

/** Chooses the least severity of alerts that are shown. Returns the choice that holds: none if the browser refuses. */
export async function chooseNotices(least) {
  const isAllowed = least === 'none' || (typeof Notification !== 'undefined' && await Notification.requestPermission() === 'granted');
  const chosen = isAllowed ? least : 'none';
  remember('notices', chosen);
  window.dispatchEvent(new Event('notices'));
  return chosen;
}

/** Shows each alert that begins from now on, if it is as severe as was chosen. */
export function showNotices(feed, now) {
  let stop = null;
  const follow = () => {
    stop?.();
    stop = chosenNotices() === 'none' ? null : feed.follow({topic: 'alerts', from: 'now', isKept: true, onRecord: record => take(record, now())});
  };
  window.addEventListener('notices', follow);
  window.addEventListener('storage', event => event.key === 'tidemark.notices' && follow());
  follow();
}

function take({value, timestamp}, now) {
  const isNews = value !== null && ['firing', 'fired'].includes(value.status) && !value.silenced && now - timestamp < 120_000;
  if (isNews && SEVERITIES.indexOf(value.severity) >= SEVERITIES.indexOf(chosenNotices())) {
    const shown = notification(visible(`${value.severity}: ${value.rule}`, 60), {body: visible(value.summary, 200), tag: value.id,
      icon: '/page/icon.svg'}); // several tabs show one notice, because its tag is the same
    shown.onclick = () => {
      window.focus();
      location.hash = '#/alerts';
    };
    beep();
  }
}

/** A notice of the desktop, or an empty object where the browser has none, such as on phones. */
function notification(title, options) {
  try {
    return new Notification(title, options);
  } catch {
    return {};
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
