// Swaps a reader's key for a cookie.

import {element, heading} from '../dom.js';
import {refusal} from '../stream.js';
import {visible} from '../text.js';

export function show(scope) {
  const problem = element('p.bad', {role: 'alert'});
  const field = element('input', {id: 'key', type: 'password', name: 'key', autocomplete: 'current-password', required: true, maxlength: '300'});
  const form = element('form', {onsubmit: async event => {
    event.preventDefault();
    problem.textContent = '';
    try {
      const response = await fetch('/v1/login', {
        method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({key: field.value.trim()}),
      });
      if (!response.ok) {
        throw await refusal(response);
      }
      scope.renew();
      scope.leaveLogin();
    } catch (failure) {
      problem.textContent = visible(failure.message, 200);
    }
  }},
  element('label', {for: 'key'}, 'Key'), field,
  element('button.button.strong', {type: 'submit'}, 'Log in'), problem);
  const known = element('p');
  const explanation = element('p.muted', {}, 'This server asks for a key. “tidemark key new” makes one; whoever runs the server puts its hash into the configuration.');
  scope.json('/v1/me').then(me => {
    if (me.name === null) {
      explanation.textContent = me.has_keys
        ? 'Nobody needs a key to read here. One with the right “write” silences alerts; one with “configure” also changes rules and the watch list.'
        : 'This server has no keys: everybody may read, and nobody may silence alerts.';
    }
    if (me.name !== null) {
      known.replaceChildren(`Logged in with the key of ${visible(me.name, 64)}, which may ${me.rights.join(' and ')}. `,
        element('button.button', {type: 'button', onclick: async () => {
          await fetch('/v1/logout', {method: 'POST'});
          scope.renew();
          location.reload();
        }}, 'Log out'), ' ', element('button.button', {type: 'button', onclick: () => scope.leaveLogin()}, 'Go on'));
    }
  }).catch(() => {
    // nobody is logged in
  });
  return element('section.login.panel', {}, known,
    heading('Log in', null), explanation,
    form);
}
