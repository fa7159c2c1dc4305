package io.tidemark.web;

import io.tidemark.event.Watch;
import io.tidemark.rule.Silence;
import io.tidemark.rule.file.RuleAnnouncements;
import io.tidemark.rule.file.SilenceFormat;
import io.tidemark.topic.CommandPublisher;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The silences of one source: read from its commands, and added and ended by commands.
 *
 * @param status has read the commands of the source
 */
public record SourceSilences(StatusReader status, CommandPublisher commands) {

  String source() {
    return status.source();
  }

  /** All that were added and not ended by a command, also those that are over by their time. */
  List<Silence> all() {
    return status.silences();
  }

  /** Names of the rules in force; empty where none are announced. */
  Set<String> rules() {
    return status.rules();
  }

  void add(Silence silence) {
    publish(silence.id(), SilenceFormat.write(0, List.of(silence)), silence.who(), silence.from());
  }

  void end(String id, String who, Instant now) {
    publish(id, null, who, now);
  }

  private void publish(String id, @Nullable String text, String who, Instant at) {
    commands.publish(Watch.newBuilder()
        .setKind(RuleAnnouncements.SILENCE).setName(id).setText(text).setWho(who).setAt(at).build());
  }
}
