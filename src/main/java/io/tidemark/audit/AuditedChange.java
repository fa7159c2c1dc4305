package io.tidemark.audit;

import io.tidemark.event.ChangeView;
import io.tidemark.event.Origin;
import io.tidemark.kafka.CommittedRecord;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.avro.specific.SpecificRecord;

/** One change of a resource, with the fields that the changes of all resources share. */
record AuditedChange(CommittedRecord record, SpecificRecord value) {

  long generation() {
    return Objects.requireNonNull(view().generation(value)).toEpochMilli();
  }

  long revision() {
    return Objects.requireNonNull(view().revision(value));
  }

  Origin origin() {
    return Objects.requireNonNull(view().origin(value));
  }

  boolean isKeyFrame() {
    return origin().getKeyFrame();
  }

  /**
   * Returns whether the change begins a generation because the state of the resource was lost. In this case, no change
   * ended the previous generation.
   */
  boolean isReobserved() {
    var appeared = view().appeared(value);
    return appeared != null && appeared.getKind().equals("reobserved");
  }

  /**
   * Returns the names of the parts of the change that are not facets: {@code appeared}, {@code visibility}, {@code
   * removed}.
   */
  List<String> otherParts() {
    return view().parts().stream()
        .filter(part -> part.facet() == null && value.get(part.position()) != null)
        .map(ChangeView.ChangePart::name)
        .toList();
  }

  Set<String> facetsHeader() {
    var names = new TreeSet<>(List.of(record.header("facets").split(",")));
    names.remove("");
    return names;
  }

  /** Returns the value that the header {@code id} must have. */
  String id() {
    return "%s/%s/%d/%d".formatted(record.topic(), record.keyText(), generation(), revision());
  }

  private ChangeView view() {
    return ChangeView.of(value);
  }
}
