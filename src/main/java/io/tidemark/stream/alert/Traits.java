package io.tidemark.stream.alert;

import io.tidemark.event.Origin;
import io.tidemark.event.Removed;
import io.tidemark.event.Visibility;
import java.time.Instant;
import java.util.Objects;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** What records of all kinds may say of themselves, read by the names that all share. */
final class Traits {

  private Traits() {}

  /** When it was seen; where it does not say, the time it is stamped with. */
  static Instant observedAt(SpecificRecord record, Instant stamp) {
    return of(record, "origin") instanceof Origin origin ? origin.getObservedAt() : stamp;
  }

  /** When the same was looked at the time before. */
  static @Nullable Instant previousLook(SpecificRecord record) {
    return of(record, "origin") instanceof Origin origin ? origin.getPreviousObservedAt() : null;
  }

  /** Whether it was there when watching began. */
  static boolean isBaseline(SpecificRecord record) {
    return of(record, "origin") instanceof Origin origin && origin.getBaseline();
  }

  static boolean sameLife(SpecificRecord record, SpecificRecord other) {
    return Objects.equals(life(record), life(other));
  }

  static @Nullable Instant life(SpecificRecord record) {
    return of(record, "generation") instanceof Instant life ? life : null;
  }

  static @Nullable Long revision(SpecificRecord record) {
    return of(record, "revision") instanceof Long revision ? revision : null;
  }

  /** Why its resource is gone; null where it is not. */
  static @Nullable String left(SpecificRecord record) {
    return of(record, "removed") instanceof Removed left ? left.getReason() : null;
  }

  /** Whether the resource of a record is in sight; said once, when that changes. */
  static boolean isInSight(SpecificRecord record, @Nullable SpecificRecord known) {
    var said =
        of(record, "visibility") instanceof Visibility sight ? sight : known == null ? null : of(known, "visibility");
    return !(said instanceof Visibility sight) || sight.getVisible();
  }

  /** Takes from what is remembered whatever was news only once, and keeps whether its resource is in sight. */
  static void settle(SpecificRecord known, @Nullable SpecificRecord before) {
    forget(known, "appeared");
    var sight = known.getSchema().getField("visibility");
    if (sight != null && known.get(sight.pos()) == null && before != null) {
      known.put(sight.pos(), before.get(sight.pos()));
    }
  }

  private static void forget(SpecificRecord record, String name) {
    var field = record.getSchema().getField(name);
    if (field != null) {
      record.put(field.pos(), null);
    }
  }

  private static @Nullable Object of(SpecificRecord record, String name) {
    var field = record.getSchema().getField(name);
    return field == null ? null : record.get(field.pos());
  }
}
