package io.tidemark.kafka;

import io.tidemark.event.Alert;
import io.tidemark.event.ChangeView;
import io.tidemark.event.DeadLetter;
import io.tidemark.event.SourceState;
import io.tidemark.event.TargetMembers;
import io.tidemark.event.TargetState;
import java.util.List;
import java.util.Locale;

/** A header of Kafka records. The value of each header is UTF-8 text. */
public enum RecordHeader {
  ID("Names the change: `<topic>/<key>/<generation>/<revision>`."),
  FACETS("The facets that changed, with commas between them: a reader can skip a record without decoding its value."),
  TRACEPARENT(
      "The trace of the poll that caused the record (W3C Trace Context); only if the poller has `tracing`."),
  REASON("Why the resource or the target is removed, or why the answer could not be read."),
  LAST_OBSERVED("When the resource or the target was last observed, in ISO 8601."),
  NETWORK("The network of what a tombstone deletes."),
  REGISTRY("The registry that the ids of schemas are of.");

  private final String wire = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final String description;

  RecordHeader(String description) {
    this.description = description;
  }

  public String wire() {
    return wire;
  }

  /** Returns the description of the header for people, in Markdown. */
  public String description() {
    return description;
  }

  /** Returns the headers of a topic's records that are not tombstones. */
  public static List<RecordHeader> of(Topic<?> topic) {
    if (ChangeView.of(topic.schema()).isChange()) {
      return List.of(ID, FACETS, TRACEPARENT);
    }
    return topic.value().equals(Alert.class) ? List.of(TRACEPARENT)
        : topic.value().equals(DeadLetter.class) ? List.of(REASON)
            : topic.value().equals(SourceState.class) ? List.of(REGISTRY) : List.of();
  }

  /** Returns the headers that a topic's tombstones have. A tombstone is a record without a value. */
  public static List<RecordHeader> ofTombstones(Topic<?> topic) {
    var isResource =
        ChangeView.ofResources().stream().anyMatch(view -> view.state().schema().equals(topic.schema()));
    return isResource ? List.of(REASON, LAST_OBSERVED, NETWORK)
        : topic.value().equals(TargetState.class) ? List.of(REASON, LAST_OBSERVED)
            : topic.value().equals(TargetMembers.class) ? List.of(REASON)
                : topic.schema().getField("network") != null ? List.of(NETWORK) : List.of();
  }
}
