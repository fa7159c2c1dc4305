package io.tidemark.config;

import io.tidemark.topic.Retention;
import io.tidemark.topic.TopicLayout;
import io.tidemark.yaml.DurationFormat;
import io.tidemark.yaml.YamlSection;
import java.time.Duration;

/** The partitions, replication and retention of topics. */
public record TopicSettings(TopicLayout layout, Retention retention) {

  static TopicSettings read(YamlSection in) {
    in.only("partitions", "replication", "retention");
    var times = in.section("retention").only("changes", "candles", "alerts", "dead-letters");
    var partitions = in.get("partitions", "6");
    var count = partitions.integer();
    var replication = (short) in.get("replication", "1").integer();
    var layout = partitions.as(text -> new TopicLayout(count, replication));
    var retention = new Retention(
        retention(times, "changes", "30d"), retention(times, "candles", "30d"), retention(times, "alerts", "90d"),
        retention(times, "dead-letters", "14d"));
    return new TopicSettings(layout, retention);
  }

  private static Duration retention(YamlSection in, String key, String otherwise) {
    var value = in.get(key, otherwise);
    if (value.duration(DurationFormat.OF_CONFIGURATION).compareTo(Duration.ofHours(1)) < 0) {
      throw value.invalid("at least 1h");
    }
    return value.duration(DurationFormat.OF_CONFIGURATION);
  }
}
