package io.tidemark.cli.deadletters;

import io.tidemark.cli.print.StoredDeadLetter;
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

  boolean has(StoredDeadLetter deadLetter) {
    return text(deadLetter).equals(texts.get(deadLetter.position()));
  }

  static Watch of(StoredDeadLetter deadLetter, String who, Instant at) {
    return Watch.newBuilder().setKind(KIND).setName(deadLetter.position()).setText(text(deadLetter)).setWho(who)
        .setAt(at).build();
  }

  private static String text(StoredDeadLetter deadLetter) {
    var content = deadLetter.content();
    return "{ digest: %s, received: %s }".formatted(content.getDigest(), content.getReceivedAt());
  }
}
