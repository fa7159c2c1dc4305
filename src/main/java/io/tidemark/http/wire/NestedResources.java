package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A member of a resource that holds resources of another kind: an exchange's contracts, an entity's holdings. */
final class NestedResources<R extends SpecificRecord> implements ResourceCodec.OtherMemberReader {
  private final String member;
  private final StrictJson.ValueReader<List<Observation<R>>> reading;
  private @Nullable List<Observation<R>> rows;

  NestedResources(String member, StrictJson.ValueReader<List<Observation<R>>> reading) {
    this.member = member;
    this.reading = reading;
  }

  @Override
  public boolean read(String name, JsonParser in) throws IOException {
    if (!name.equals(member)) {
      return false;
    }
    if (!in.hasToken(JsonToken.VALUE_NULL)) {
      rows = reading.read(in);
    }
    return true;
  }

  /** Null where the resource had none to say. */
  @Nullable
  List<Observation<R>> rows() {
    return rows;
  }
}
