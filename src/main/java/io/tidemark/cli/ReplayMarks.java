package io.tidemark.cli;

import io.tidemark.event.Watch;
import java.time.Instant;
import java.util.Map;

/**
 * Which dead letters were replayed.
 *
 * @param texts what the mark at a letter's place says: a topic made anew has other letters at the same places
 */
record ReplayMarks(Map<String, String> texts) {

  static final String KIND = "replayed";

  boolean has(Letter letter) {
    return text(letter).equals(texts.get(letter.place()));
  }

  static Watch of(Letter letter, String who, Instant at) {
    return Watch.newBuilder().setKind(KIND).setName(letter.place()).setText(text(letter)).setWho(who).setAt(at).build();
  }

  private static String text(Letter letter) {
    var content = letter.content();
    return "{ digest: %s, received: %s }".formatted(content.getDigest(), content.getReceivedAt());
  }
}
