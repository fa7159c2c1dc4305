package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.market.Seen;
import java.io.IOException;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/** A member of a resource that holds resources of another kind: an exchange's contracts, an entity's holdings. */
final class Rows<R extends SpecificRecord> implements Shape.Aside {
  private final String member;
  private final Json.Reading<List<Seen<R>>> reading;
  private @Nullable List<Seen<R>> rows;

  Rows(String member, Json.Reading<List<Seen<R>>> reading) {
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
  List<Seen<R>> rows() {
    return rows;
  }
}
