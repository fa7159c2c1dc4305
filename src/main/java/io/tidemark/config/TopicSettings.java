package io.tidemark.config;

import io.tidemark.topic.Retention;
import io.tidemark.topic.TopicLayout;
import java.time.Duration;

/** How topics are laid out and how long they are kept. */
public record TopicSettings(TopicLayout layout, Retention retention) {

  static TopicSettings read(Section in) {
    in.only("partitions", "replication", "retention");
    var kept = in.section("retention").only("changes", "alerts", "dead-letters");
    var partitions = in.get("partitions", "6");
    var count = partitions.whole();
    var replication = (short) in.get("replication", "1").whole();
    var layout = partitions.made(text -> new TopicLayout(count, replication));
    var retention = new Retention(
        kept(kept, "changes", "30d"), kept(kept, "alerts", "90d"), kept(kept, "dead-letters", "14d"));
    return new TopicSettings(layout, retention);
  }

  private static Duration kept(Section in, String key, String otherwise) {
    var value = in.get(key, otherwise);
    if (value.duration().compareTo(Duration.ofHours(1)) < 0) {
      throw value.refused("at least 1h");
    }
    return value.duration();
  }
}
