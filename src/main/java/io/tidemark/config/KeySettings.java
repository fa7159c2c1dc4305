package io.tidemark.config;

import io.tidemark.yaml.Secret;
import org.jspecify.annotations.Nullable;

/** The key of a source and what it may be used for; without a secret for services that ask for none. */
record KeySettings(@Nullable Secret secret, int perMinute, long perMonth) {

  static KeySettings read(Section source) {
    var keys = source.sections("keys");
    if (keys.size() > 1) {
      throw source.refused("keys", "several keys of one source are not available yet; name one");
    }
    var key = keys.isEmpty() ? source.section("keys[0]") : keys.getFirst();
    key.only("key", "key-file", "per-minute", "per-month");
    return new KeySettings(
        key.secret("key"), key.get("per-minute", "30").whole(), key.get("per-month", "10000").large());
  }
}
