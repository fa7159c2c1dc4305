package io.tidemark.http.wire;

import io.tidemark.market.Query;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/** Bodies written by hand, with the oddities of the real service. */
public final class GoldenBodies {
  private GoldenBodies() {}

  static byte[] body(String operation) {
    try (var in = GoldenBodies.class.getResourceAsStream("golden/" + operation + ".json")) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The golden answer to a query of an operation that has one. */
  public static <A> A answer(Query<A> query) {
    return decode(query, body(query.operation().wire()));
  }

  public static <A> A decode(Query<A> query, byte[] body) {
    return Endpoints.<A, Query<A>>of(query).decode(query, body, 200, Map.of());
  }

  public static <A> byte[] encode(Query<A> query, A answer, FieldNaming names) {
    return Endpoints.<A, Query<A>>of(query).encode(query, answer, names);
  }
}
