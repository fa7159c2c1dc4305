// What readers with the right to configure change: rules and the watch list.

import {element} from './dom.js';
import {refusal} from './stream.js';
import {visible} from './text.js';

/**
 * Returns a button that sends a change and shows the outcome. Readers without the right see `otherwise` instead.
 * request() returns method, address and body, and outcome(answer) what to say of the server's answer.
 */
export function changeButton(scope, title, request, outcome, otherwise) {
  const result = element('span', {role: 'status'});
  const say = (style, text) => {
    result.className = style;
    result.textContent = text;
  };
  const button = element('button.button', {type: 'button', onclick: async () => {
    button.disabled = true;
    say('muted', 'Sending.');
    try {
      const [method, address, body] = request();
      const response = await fetch(address, {method, body});
      if (!response.ok) {
        throw await refusal(response);
      }
      const answer = await response.json();
      say(answer.warnings?.length > 0 ? 'bad' : 'up', outcome(answer));
    } catch (failure) {
      say('bad', `Not done: ${visible(failure.message, 400)}`);
    }
    button.disabled = false;
  }}, title);
  const node = element('p.silence', {}, otherwise);
  scope.json('/v1/me').then(me => me.rights.includes('configure') && node.replaceChildren(button, ' ', result)).catch(() => {
    // the right is not known, so the reader is told how to do it elsewhere
  });
  return node;
}
